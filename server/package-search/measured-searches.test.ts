import { expect, it } from 'vitest';
import { ONE_DAY_QUERY as QUERY } from '../../tests/fixtures/one-day-query.ts';
import { measuredSearches } from './measured-searches.ts';

const ON_ANOTHER_DAY = { ...QUERY, firstDay: 20_100, lastDay: 20_100, lastReturnDay: 20_107 };

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
  return { measured, search };
}

it('knows what searches cost that took long, on any day', async () => {
  const { measured, search } = measuring();
  expect(await search(20)).toEqual({ found: 'a page', ms: 20 });
  expect(measured.unitsOf([QUERY])).toBe(0);
  await search(30);
  expect(measured.unitsOf([ON_ANOTHER_DAY])).toBe(600);
  expect(measured.unitsOf([QUERY, ON_ANOTHER_DAY])).toBe(1_200);
});

it('forgets them only after many cheaper ones', () => {
  const measured = measuredSearches();
  measured.note(QUERY, 150);
  const [first, ...later] = Array.from({ length: 50 }, () => {
    measured.note(ON_ANOTHER_DAY, 0.2);
    return measured.unitsOf([QUERY]);
  });
  expect(first).toBeCloseTo(2_850, 5);
  expect(later.slice(0, 30).every((units) => units > 400)).toBe(true);
  expect(later.at(-1)).toBe(0);
});

it('measures searches that are asked for at once each by itself', async () => {
  const { measured, search } = measuring();
  const other = { ...QUERY, resorts: [4] };
  const found = await Promise.all([search(1), search(50, other), search(2)]);
  expect(found.map(({ ms }) => ms)).toEqual([1, 50, 2]);
  expect([measured.unitsOf([QUERY]), measured.unitsOf([other])]).toEqual([0, 1_000]);
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
  ['more airports', { airports: [1, 2] }],
  ['more days', { lastDay: 20_001 }],
  ['every package', { collapse: 'none' as const }],
  ['the cheapest only', { ties: 'any' as const }],
  ['the lowest price of each day', { per: 'day' as const }],
])('does not know what searches cost of %s', (_what, change) => {
  const measured = measuredSearches();
  measured.note(QUERY, 150);
  expect(measured.unitsOf([{ ...QUERY, ...change }])).toBe(0);
});
