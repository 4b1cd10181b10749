import { describe, expect, it } from 'vitest';
import { type ComparablePackage, isBoardAsGood, isSimilarPackage } from './similar-package.ts';

const WATCHED: ComparablePackage = {
  country: 'Spain',
  region: 'Costa Blanca',
  resort: 'Benidorm',
  departure: '2027-05-10',
  nights: 7,
  party: '2-0-0',
  airport: 'LGW',
  board: 'HB',
  halfStars: 8,
};

const AIRPORTS = new Set(['LGW', 'LTN']);

describe('isSimilarPackage', () => {
  it.each<[string, Partial<ComparablePackage>, boolean]>([
    ['the package itself', {}, true],
    ['three days earlier', { departure: '2027-05-07' }, true],
    ['three days later', { departure: '2027-05-13' }, true],
    ['four days earlier', { departure: '2027-05-06' }, false],
    ['four days later', { departure: '2027-05-14' }, false],
    ['another airport of its region', { airport: 'LTN' }, true],
    ['an airport of another region', { airport: 'MAN' }, false],
    ['more stars', { halfStars: 10 }, true],
    ['half a star fewer', { halfStars: 7 }, false],
    ['a better board', { board: 'AI' }, true],
    ['a lesser board', { board: 'BB' }, false],
    ['a board of another kind', { board: 'VB' }, false],
    ['a night more', { nights: 8 }, false],
    ['another party', { party: '2-1-0' }, false],
    ['another resort', { resort: 'Altea' }, false],
    ['a resort of the same name elsewhere', { region: 'Islands' }, false],
    ['another country', { country: 'Malta' }, false],
  ])('%s', (_name, difference, isSimilar) => {
    expect(isSimilarPackage(WATCHED, { ...WATCHED, ...difference }, AIRPORTS)).toBe(isSimilar);
  });
});

describe('isBoardAsGood', () => {
  it.each([
    ['RO', 'SC', true],
    ['SC', 'RO', false],
    ['BB', 'HB', true],
    ['HB', 'DH', true],
    ['FB', 'AI', true],
    ['AP', 'AI', false],
    ['CC', 'CC', true],
    ['CC', 'AI', false],
    ['RO', 'CC', false],
  ])('%s, then %s', (watched, board, isAsGood) => {
    expect(isBoardAsGood(watched, board)).toBe(isAsGood);
  });
});
