import { describe, expect, it } from 'vitest';
import { deepLinkOf } from './deep-link.ts';

const CODES = {
  provider: 'SUN',
  hotel: 'H%201%2F2',
  airport: 'LGW',
  date: '2027-05-01',
  nights: '7',
  board: 'AI',
  room: 'DBL',
  party: '2-1-0',
};

describe('deepLinkOf', () => {
  it.each([
    ['https://a.example/{hotel}?from={airport}', 'https://a.example/H%201%2F2?from=LGW'],
    ['{date}.{nights}.{board}.{room}.{party}.{provider}.{date}', '2027-05-01.7.AI.DBL.2-1-0.SUN.2027-05-01'],
    ['https://a.example/?a={adults}&c={children}&i={infants}', 'https://a.example/?a=2&c=1&i=0'],
    ['https://a.example/{toString}/{unknown}', 'https://a.example/{toString}/{unknown}'],
    ['https://a.example/', 'https://a.example/'],
  ])('%s', (template, link) => {
    expect(deepLinkOf(template)(CODES)).toBe(link);
  });
});
