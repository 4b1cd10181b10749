import { expect, it } from 'vitest';
import { ONE_DAY_QUERY as ONE_DAY } from '../../../tests/fixtures/one-day-query.ts';
import { INTERNAL_SEARCH } from '../query/package-repository.ts';
import { isWide } from './wide-search.ts';

it.each([
  ['a day of one place', [ONE_DAY], 50, false],
  ['a day of one place in a large request', [ONE_DAY], 101, true],
  ['four days', [{ ...ONE_DAY, lastDay: ONE_DAY.firstDay + 3 }], 50, true],
  ['nothing', [], 2_000, false],
])('queues searches too large for the main thread: %s', (_what, queries, units, expected) => {
  expect(isWide(queries, { ...INTERNAL_SEARCH, units })).toBe(expected);
});
