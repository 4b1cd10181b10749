import { expect, it } from 'vitest';
import { ONE_DAY_QUERY as ONE_DAY } from '../../tests/fixtures/one-day-query.ts';
import { INTERNAL_SEARCH } from './search-caller.ts';
import { isForThread } from './wide-search.ts';

it.each([
  ['a day of one place', [ONE_DAY], {}, false],
  ['a day of one place for a network that is held back', [ONE_DAY], { isHeldBack: true }, true],
  ['a day of one place in a large request', [ONE_DAY], { requestUnits: 101 }, true],
  ['four days', [{ ...ONE_DAY, lastDay: 20_003 }], {}, true],
  ['nothing for a network that is held back', [], { isHeldBack: true }, false],
])('the main thread leaves to others what is too much for it: %s', (_what, queries, caller, isLeft) => {
  expect(isForThread(queries, { ...INTERNAL_SEARCH, ...caller })).toBe(isLeft);
});
