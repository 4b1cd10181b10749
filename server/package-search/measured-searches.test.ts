import { expect, it } from 'vitest';
import type { PackageSort } from '../../domain/sort-by.ts';
import { ONE_DAY_QUERY as QUERY } from '../../tests/fixtures/one-day-query.ts';
import { kindOf, type MeasuredSearches, measuredSearches } from './measured-searches.ts';
import type { OfferFilters } from './package-repository.ts';
import { sharedPlaces } from './shared-places.ts';

const ON_ANOTHER_DAY = { ...QUERY, firstDay: 20_100, lastDay: 20_100, lastReturnDay: 20_107 };
const WITH_STARS = { ...QUERY, halfStars: [9, 10] };

/** Searches that take so many milliseconds of the processor. */
function measuring() {
  let processor = 0;
  const measured = measuredSearches(() => processor);
  const search = (ms: number, query = QUERY) =>
    measured.measure(query, async () => {
      await Promise.resolve();
      processor += ms;
      return 'a page';
    });
  return { measured, search, unitsOf: unitsOfKnown(measured) };
}

/** What searches cost in a store without packages. */
function unitsOfKnown(measured: MeasuredSearches) {
  return (...queries: readonly (OfferFilters & { sort?: PackageSort })[]) =>
    measured.unitsOf(queries, async () => 0);
}

it('knows what searches cost that took long, whatever they leave out', async () => {
  const { search, unitsOf } = measuring();
  expect(await search(20)).toEqual({ found: 'a page', ms: 20 });
  expect(await unitsOf(QUERY)).toBe(0);
  await search(30);
  expect(await unitsOf(WITH_STARS)).toBe(600);
  expect(await unitsOf(QUERY, WITH_STARS)).toBe(1_200);
});

it('counts the packages of searches that it does not know', async () => {
  const { measured, search } = measuring();
  const other = { ...QUERY, resorts: [4] };
  const unitsWith = (packages: number) => measured.unitsOf([QUERY, other], async () => packages);
  expect(await unitsWith(5_000)).toBe(0);
  expect(await unitsWith(5_001)).toBe(800);
  await search(1);
  expect(await unitsWith(5_001)).toBe(0);
  expect(await unitsWith(10_001)).toBe(820);
  await search(1, other);
  expect(await unitsWith(10_001)).toBe(0);
});

it('adds up what the searches of a request cost, also those of its other fields', async () => {
  const { measured, search } = measuring();
  await search(15);
  const none = async () => 0;
  expect(await measured.unitsOf([QUERY], none)).toBe(0);
  expect(await measured.unitsOf([QUERY, QUERY], none)).toBe(600);
  expect(await measured.unitsOf([QUERY], none, 2)).toBe(300);
  const other = { ...QUERY, resorts: [4] };
  expect(await measured.unitsOf([other], async () => 4_000, 2)).toBe(0);
  expect(await measured.unitsOf([other], async () => 4_000, 3)).toBe(800);
});

it('forgets them only after many cheaper ones', async () => {
  const measured = measuredSearches();
  measured.note(QUERY, 150);
  const costs: number[] = [];
  for (let nth = 0; nth < 50; nth += 1) {
    measured.note(WITH_STARS, 0.2);
    costs.push(await unitsOfKnown(measured)(QUERY));
  }
  const [first, ...later] = costs;
  expect(first).toBeCloseTo(2_850, 5);
  expect(later.slice(0, 30).every((units) => units > 400)).toBe(true);
  expect(later.at(-1)).toBe(0);
});

it('counts the packages of a day of a place where another was large, however long ago', async () => {
  const measured = measuredSearches();
  const unitsWith = (packages: number) => measured.unitsOf([ON_ANOTHER_DAY], async () => packages);
  measured.note(QUERY, 1);
  expect(await unitsWith(10_001)).toBe(0);
  measured.note(QUERY, 150);
  for (let nth = 0; nth < 100; nth += 1) measured.note(QUERY, 0.2);
  expect(await unitsWith(10_000)).toBe(0);
  expect(await unitsWith(10_001)).toBe(800);
  measured.note(ON_ANOTHER_DAY, 1);
  expect(await unitsWith(10_001)).toBe(0);
});

it('measures searches that are asked for at once each by itself', async () => {
  const { search, unitsOf } = measuring();
  const other = { ...QUERY, resorts: [4] };
  const found = await Promise.all([search(1), search(50, other), search(2)]);
  expect(found.map(({ ms }) => ms)).toEqual([1, 50, 2]);
  expect([await unitsOf(QUERY), await unitsOf(other)]).toEqual([0, 1_000]);
});

it('measures those behind one that fails', async () => {
  const { measured, search } = measuring();
  const failing = measured.measure(QUERY, () => Promise.reject(new Error('The store is gone')));
  await expect(failing).rejects.toThrow('The store is gone');
  expect(await search(1)).toEqual({ found: 'a page', ms: 1 });
});

it.each([
  ['another resort', { resorts: [4] }],
  ['another party', { party: 2 }],
  ['another day', { firstDay: 20_001, lastDay: 20_001, lastReturnDay: 20_008 }],
  ['another airport', { airports: [2] }],
  ['more airports', { airports: [1, 2] }],
  ['more days', { lastDay: 20_001 }],
  ['every package', { collapse: 'none' as const }],
  ['the cheapest only', { ties: 'any' as const }],
  ['the lowest price of each day', { per: 'day' as const }],
])('does not know what searches cost of %s', async (_what, change) => {
  const measured = measuredSearches();
  measured.note(QUERY, 150);
  expect(await unitsOfKnown(measured)({ ...QUERY, ...change })).toBe(0);
});

it('remembers as little of a name that thousands of places share as of others', () => {
  const places = (count: number) =>
    sharedPlaces(Array.from({ length: count }, (_, nth) => [nth, nth, nth] as const));
  const kindIn = (count: number) => kindOf({ ...QUERY, places: places(count) });
  expect(kindIn(10_000).length).toBeLessThan(100);
  expect(kindIn(10_000)).toBe(kindIn(10_000));
  expect(kindIn(10_000)).not.toBe(kindIn(10_001));
});

it('remembers as little of hundreds of airports as of one', () => {
  const kindFrom = (count: number) =>
    kindOf({ ...QUERY, airports: Array.from({ length: count }, (_, nth) => nth) });
  expect(kindFrom(200).length).toBeLessThan(100);
  expect(kindFrom(200)).not.toBe(kindFrom(201));
});

it('takes long windows of alike numbers of days for alike, under one sort', async () => {
  const measured = measuredSearches();
  const ofDays = (days: number) => ({ ...QUERY, lastDay: 20_000 + days, sort: 'PRICE_ASC' as const });
  measured.note(ofDays(40), 150);
  const unitsOf = unitsOfKnown(measured);
  expect(await unitsOf(ofDays(50))).toBe(3_000);
  expect(await unitsOf(ofDays(100))).toBe(0);
  expect(await unitsOf({ ...ofDays(50), sort: 'DEPARTURE_DATE_ASC' })).toBe(0);
});
