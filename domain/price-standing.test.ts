import { expect, it } from 'vitest';
import { priceStanding } from './price-standing.ts';

it.each([
  [[], null],
  [[[19, 19]], null],
  [[[100, 24]], null],
  [[[20, 5]], 'marked'],
  [[[39, 39]], 'marked'],
  [[[100, 49]], 'marked'],
  [[[40, 20]], 'hidden'],
  // Many checks that confirm the price do not outweigh clicks.
  [
    [
      [10_000, 0],
      [40, 40],
    ],
    'hidden',
  ],
] as const)('judges %j as %s', (groups, standing) => {
  expect(priceStanding(groups.map(([compared, farHigher]) => ({ compared, farHigher })))).toBe(standing);
});
