import { expect, it } from 'vitest';
import { largeSearches } from './large-searches.ts';
import type { OfferFilters } from './package-repository.ts';

const QUERY: OfferFilters = {
  providers: null,
  countries: [1],
  regions: [2],
  resorts: [3],
  airports: [1],
  firstDay: 20_000,
  lastDay: 20_000,
  lastReturnDay: 20_007,
  nights: 7,
  party: 1,
  boards: null,
  halfStars: null,
  now: 0,
};

it('remembers searches that read many rows, and those like them on any day', () => {
  const large = largeSearches();
  large.note([QUERY], 10_000);
  expect(large.has([QUERY])).toBe(false);
  large.note([QUERY], 10_001);
  expect(large.has([{ ...QUERY, firstDay: 20_100, lastDay: 20_100, lastReturnDay: 20_107 }])).toBe(true);
});

it.each<[string, Partial<OfferFilters>]>([
  ['another resort', { resorts: [4] }],
  ['another party', { party: 2 }],
  ['more airports', { airports: [1, 2] }],
  ['more days', { lastDay: 20_001 }],
])('does not know searches of %s', (_what, change) => {
  const large = largeSearches();
  large.note([QUERY], 100_000);
  expect(large.has([{ ...QUERY, ...change }])).toBe(false);
});
