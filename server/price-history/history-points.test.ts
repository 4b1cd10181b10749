import fc from 'fast-check';
import { expect, it } from 'vitest';
import { historyPoints } from './history-points.ts';

const day = (price: number, index: number) => ({ day: 500 + index, price });

it('keeps the first day, the last day and days with a price change', () => {
  const daily = [5, 5, 7, 7, 7, 6, 6].map(day);
  expect(historyPoints(daily, 30)).toEqual({
    points: [daily[0], daily[1], daily[2], daily[5], daily[6]],
    lowest: daily[1],
    latest: daily[6],
  });
});

it('returns null for an empty history', () => {
  expect(historyPoints([], 30)).toBeNull();
});

it('keeps at most the requested number of points in order, including the lowest price and both ends', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 300 }), (prices) => {
      const daily = prices.map(day);
      const found = historyPoints(daily, 30);
      if (found === null) throw new Error('there is a history');
      expect(found.points.length).toBeLessThanOrEqual(30);
      expect(found.points).toEqual(found.points.toSorted((a, b) => a.day - b.day));
      expect(found.points).toContain(found.lowest);
      expect(found.points[0]).toBe(daily[0]);
      expect(found.points.at(-1)).toBe(daily.at(-1));
      expect(found.lowest.price).toBe(Math.min(...prices));
    }),
  );
});
