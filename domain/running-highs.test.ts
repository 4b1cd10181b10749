import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highestSince, highsAfter, type RunningHighs } from './running-highs.ts';

describe('Running highs', () => {
  it('give the same highest price since any moment as the whole history', () => {
    const prices = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(prices, (past) => {
        let steps: RunningHighs = [];
        // The price at index i starts at moment 2i. Odd moments are between two changes.
        for (const [place, price] of past.entries()) {
          if (place > 0) steps = highsAfter(steps, { was: past[place - 1] ?? 0, price, at: 2 * place });
          for (let since = 0; since <= place; since += 1) {
            const highest = Math.max(...past.slice(since, place + 1));
            expect(highestSince(steps, 2 * since, price)).toBe(highest);
            expect(highestSince(steps, 2 * since + 1, price)).toBe(highest);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('are empty at the highest price', () => {
    const fallen = highsAfter([], { was: 10, price: 8, at: 1 });
    expect(fallen).toEqual([
      { price: 10, at: 0, until: 1 },
      { price: 8, at: 1, until: null },
    ]);
    expect(highsAfter(fallen, { was: 8, price: 10, at: 2 })).toEqual([]);
    expect(highsAfter([], { was: 10, price: 11, at: 1 })).toEqual([]);
  });

  it('do not count if they lack a change', () => {
    const fallen = highsAfter([], { was: 10, price: 8, at: 1 });
    expect(highestSince(fallen, 0, 3)).toBe(3);
    expect(highsAfter(fallen, { was: 3, price: 5, at: 9 })).toEqual([]);
    const again = highsAfter(fallen, { was: 5, price: 4, at: 9 });
    expect([highestSince(again, 0, 4), highestSince(again, 9, 4)]).toEqual([5, 4]);
  });

  it('are limited in number, and never overstate a price', () => {
    let steps: RunningHighs = [];
    for (let at = 1; at <= 1_000; at += 1)
      steps = highsAfter(steps, { was: 10_001 - at, price: 10_000 - at, at });
    expect(steps).toHaveLength(100);
    for (let since = 0; since < 1_000; since += 1) {
      expect(highestSince(steps, since, 9_000)).toBeLessThanOrEqual(10_000 - since);
    }
    expect(highestSince(steps, 0, 9_000)).toBe(10_000);
  });
});
