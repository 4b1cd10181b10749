import { expect, it } from 'vitest';
import { measuredSearches } from './measured-searches.ts';
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
const ON_ANOTHER_DAY = { ...QUERY, firstDay: 20_100, lastDay: 20_100, lastReturnDay: 20_107 };

it('knows what searches cost that took long, on any day', async () => {
  let processor = 0;
  const measured = measuredSearches(() => processor);
  const search = (ms: number) =>
    measured.measure([QUERY], async () => {
      processor += ms;
      return 'a page';
    });
  expect(await search(20)).toEqual({ found: 'a page', ms: 20 });
  expect(measured.unitsOf([QUERY])).toBe(0);
  await search(30);
  expect(measured.unitsOf([ON_ANOTHER_DAY])).toBe(600);
});

it('takes the word of another thread, which may find that they no longer take long', () => {
  const measured = measuredSearches();
  measured.note([QUERY], 150);
  expect(measured.unitsOf([ON_ANOTHER_DAY])).toBe(3_000);
  measured.note([ON_ANOTHER_DAY], 2);
  expect(measured.unitsOf([QUERY])).toBe(0);
});

it.each([
  ['another resort', { resorts: [4] }],
  ['another party', { party: 2 }],
  ['more airports', { airports: [1, 2] }],
  ['more days', { lastDay: 20_001 }],
  ['every package', { collapse: 'none' as const }],
  ['the lowest price of each day', { per: 'day' as const }],
])('does not know what searches cost of %s', (_what, change) => {
  const measured = measuredSearches();
  measured.note([QUERY], 150);
  expect(measured.unitsOf([{ ...QUERY, ...change }])).toBe(0);
});
