import { describe, expect, it } from 'vitest';
import { dayTicks, priceTicks, withoutGaps } from './plot-scales.ts';

describe('priceTicks', () => {
  it.each([
    [812, 1_190, 4, [800, 900, 1_000, 1_100, 1_200]],
    [500, 500, 4, [500, 501]],
    [99.5, 101, 4, [99, 100, 101]],
    [1, 335_544, 4, [0, 100_000, 200_000, 300_000, 400_000]],
  ])('has round ticks from %d to %d', (lowest, highest, count, ticks) => {
    expect(priceTicks(lowest, highest, count)).toEqual(ticks);
  });
});

it('spaces days evenly, across a change of the clocks', () => {
  expect(dayTicks('2027-01-01', '2027-03-31', 4)).toEqual([
    '2027-01-01',
    '2027-01-31',
    '2027-03-01',
    '2027-03-31',
  ]);
});

it('splits the line at days without a price', () => {
  const on = (day: string) => ({ day, price: 100 });
  expect(withoutGaps([on('2027-03-27'), on('2027-03-28'), on('2027-03-30')])).toEqual([
    [on('2027-03-27'), on('2027-03-28')],
    [on('2027-03-30')],
  ]);
  expect(withoutGaps([])).toEqual([]);
});
