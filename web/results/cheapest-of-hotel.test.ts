import { expect, it } from 'vitest';
import { packages, resultsFor, SEARCH } from '../../tests/fixtures/page-search.ts';
import { isCheapestOfHotel } from './cheapest-of-hotel.ts';

it('calls no package the cheapest that was kept on this device, perhaps in another order', () => {
  const results = resultsFor(SEARCH, 3);
  const [holiday] = packages(1);
  if (holiday === undefined) throw new Error('No package.');
  expect(isCheapestOfHotel(results, holiday)).toBe(true);
  expect(isCheapestOfHotel({ ...results, keptAt: 1 }, holiday)).toBe(false);
});
