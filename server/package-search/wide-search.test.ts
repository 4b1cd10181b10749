import { expect, it } from 'vitest';
import type { OfferFilters } from './package-repository.ts';
import { INTERNAL_SEARCH } from './search-caller.ts';
import { isForThread } from './wide-search.ts';

const ONE_DAY: OfferFilters = {
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

it.each([
  ['a day of one place', [ONE_DAY], {}, false],
  ['a day of one place for a network that is held back', [ONE_DAY], { isHeldBack: true }, true],
  ['a day of one place in a large request', [ONE_DAY], { requestUnits: 101 }, true],
  ['four days', [{ ...ONE_DAY, lastDay: 20_003 }], {}, true],
  ['nothing for a network that is held back', [], { isHeldBack: true }, false],
])('the main thread leaves to others what is too much for it: %s', (_what, queries, caller, isLeft) => {
  expect(isForThread(queries, { ...INTERNAL_SEARCH, ...caller })).toBe(isLeft);
});
