import fc from 'fast-check';
import { expect, it } from 'vitest';
import { historyPoints } from './history-points.ts';

const day = (price: number, index: number) => ({ day: 500 + index, price });

it('keeps the first day, the last day and days with a price change', () => {
  const daily = [5, 5, 7, 7, 7, 6, 6].map(day);
  expect(historyPoints(daily, 30)).toEqual([daily[0], daily[1], daily[2], daily[5], daily[6]]);
  expect(historyPoints([], 30)).toEqual([]);
});

it('keeps at most the requested number of points in order, including the lowest price and both ends', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 300 }), (prices) => {
      const daily = prices.map(day);
      const points = historyPoints(daily, 30);
      expect(points.length).toBeLessThanOrEqual(30);
      expect(points).toEqual(points.toSorted((a, b) => a.day - b.day));
      expect(points[0]).toBe(daily[0]);
      expect(points.at(-1)).toBe(daily.at(-1));
      expect(Math.min(...points.map(({ price }) => price))).toBe(Math.min(...prices));
    }),
  );
});
