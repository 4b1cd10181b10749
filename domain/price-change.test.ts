import { expect, it } from 'vitest';
import { priceChange } from './price-change.ts';

const TODAY = 1_000;

/** Daily prices that end today. */
const history = (...prices: number[]) =>
  prices.map((price, index) => ({ day: TODAY - prices.length + 1 + index, price }));
const days = (count: number, price: number) => Array.from({ length: count }, () => price);

it.each([
  ['rose once', [...days(20, 900), ...days(5, 950)], { amount: 50, since: TODAY - 5 }],
  ['fell in two steps', [...days(20, 900), 880, ...days(4, 850)], { amount: -50, since: TODAY - 5 }],
  ['never moved', days(20, 900), { amount: 0, since: TODAY - 19 }],
  [
    'rose and fell back',
    [...days(5, 900), ...days(5, 990), ...days(5, 900)],
    { amount: 0, since: TODAY - 14 },
  ],
  ['moved before the 30 days', [...days(9, 700), ...days(30, 900)], { amount: 0, since: TODAY - 29 }],
])('a price that %s is compared with the first of the last 30 days', (_, prices, change) => {
  expect(priceChange(history(...prices), prices.at(-1) ?? 0, TODAY)).toEqual(change);
});

it('a price that was first seen today has no change', () => {
  expect(priceChange(history(900), 900, TODAY)).toBeNull();
  expect(priceChange([], 900, TODAY)).toBeNull();
});
