import { describe, expect, it } from 'vitest';
import { SEARCH } from '../../tests/fixtures/page-search.ts';
import type { UnreadPart } from '../search/search-address.ts';
import { addressNote } from './address-note.ts';

const TODAY = '2027-01-31';

function note(part: UnreadPart['part'], text: string, starRating = '') {
  return addressNote({ part, text }, { ...SEARCH, starRating }, TODAY);
}

describe('the note on an address', () => {
  it.each([
    [
      'place',
      'Atlantis, Greece',
      '‘Atlantis, Greece’ is not in the list of destinations, so the field is empty. Choose another place.',
    ],
    [
      'from',
      'XXX',
      '‘XXX’ is not in the list of departure airports, so the field is empty. Choose another airport.',
    ],
    ['date', '2020-01-01', '1st January 2020 has passed, so we’ve put in tomorrow. Choose another date.'],
    [
      'date',
      TODAY,
      '31st January 2027 is today, and the first departures are tomorrow’s, so we’ve put in tomorrow. Choose another date.',
    ],
    [
      'date',
      '2030-05-03',
      '3rd May 2030 is more than 18 months ahead, so we’ve put in tomorrow. Choose another date.',
    ],
    ['date', 'soon', '‘soon’ is not a date, so we’ve put in tomorrow. Choose another date.'],
    ['nights', '5', '‘5’ isn’t available; showing 7 nights.'],
    ['board', 'XX', '‘XX’ is not a board basis: any board was used instead.'],
    ['stars', '9', '‘9’ is not a star rating: any rating was used instead.'],
    ['sort', 'cheapest', '‘cheapest’ is not a sort order: Recommended was used instead.'],
    ['size', '7', '‘7’ is not a number of results per page: 10 was used instead.'],
    ['page', '-1', '‘-1’ is not a page number: 1 was used instead.'],
  ] as const)('a %s of %j', (part, text, words) => {
    expect(note(part, text)).toBe(words);
  });

  it('names the whole number of stars that was used', () => {
    expect(note('stars', '4.5', '4')).toBe('‘4.5’ is not a whole number of stars: 4 was used instead.');
  });

  it('shortens very long text', () => {
    expect(note('place', 'A'.repeat(5_000)).length).toBeLessThan(160);
  });
});
