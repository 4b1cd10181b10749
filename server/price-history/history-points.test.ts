import fc from 'fast-check';
import { expect, it } from 'vitest';
import { historyPoints } from './history-points.ts';

const day = (price: number, index: number) => ({ day: 500 + index, price });

it('keeps the days on which the price changed, the first and the last', () => {
  const daily = [5, 5, 7, 7, 7, 6, 6].map(day);
  expect(historyPoints(daily, 30)).toEqual({
    points: [daily[0], daily[1], daily[2], daily[5], daily[6]],
    lowest: daily[1],
    latest: daily[6],
  });
});

it('has nothing to say of nothing', () => {
  expect(historyPoints([], 30)).toBeNull();
});

it('keeps at most so many, in order, with the lowest price and the ends among them', () => {
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
