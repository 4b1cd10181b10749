import { expect, it } from 'vitest';
import { monthsOfRequest } from './explore.ts';

it('lets the fields of one request return 5,000 months together', () => {
  const takeMonths = monthsOfRequest();
  expect([takeMonths(2_000), takeMonths(3_000), takeMonths(1)]).toEqual([true, true, false]);
});
