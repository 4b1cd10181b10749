import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLevels, encodeLevels } from '../server/price-history/price-path-table.ts';
import { dailyPrices } from './daily-prices.ts';

const at = (day: number, price: number, minute = 600) => ({ seenAt: day * 1440 + minute, price });

describe('the daily prices of a package', () => {
  it('stay the same until the next observation; the last one of a day counts', () => {
    const observations = [at(100, 500), at(102, 480, 60), at(102, 470, 900), at(105, 510)];
    expect(dailyPrices({ observations, path: null, today: 106, days: 365 })).toEqual([
      { day: 100, price: 500 },
      { day: 101, price: 500 },
      { day: 102, price: 470 },
      { day: 103, price: 470 },
      { day: 104, price: 470 },
      { day: 105, price: 510 },
      { day: 106, price: 510 },
    ]);
  });

  it('begin with the price at the start of the window', () => {
    const observations = [at(90, 500), at(99, 400)];
    expect(dailyPrices({ observations, path: null, today: 101, days: 2 })).toEqual([
      { day: 100, price: 400 },
      { day: 101, price: 400 },
    ]);
  });

  it('before the first observation follow the path, in steps of whole pounds', () => {
    const path = { lastDay: 100, levels: [Math.log(0.8), Math.log(1.25), 0] };
    const daily = dailyPrices({ observations: [at(100, 100_099)], path, today: 101, days: 10 });
    expect(daily).toEqual([
      { day: 98, price: 80_099 },
      { day: 99, price: 125_099 },
      { day: 100, price: 100_099 },
      { day: 101, price: 100_099 },
    ]);
  });

  it('are unknown between a path and a later first observation', () => {
    const path = { lastDay: 90, levels: [0, 0] };
    const daily = dailyPrices({ observations: [at(95, 10_000)], path, today: 95, days: 30 });
    expect(daily.map(({ day }) => day)).toEqual([89, 90, 95]);
  });

  it('are all observed prices if there is no path', () => {
    const gaps = fc.array(fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 9_999 })), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 400 }), (steps, days) => {
        let minute = 100 * 1440;
        const observations = steps.map(([gap, price]) => {
          minute += gap;
          return { seenAt: minute, price };
        });
        const today = Math.floor(minute / 1440) + 3;
        const daily = dailyPrices({ observations, path: null, today, days });
        expect(daily.at(-1)).toEqual({ day: today, price: observations.at(-1)?.price });
        for (const { day, price } of daily) {
          const last = observations.findLast(({ seenAt }) => Math.floor(seenAt / 1440) <= day);
          expect(price).toBe(last?.price);
        }
      }),
    );
  });
});

it('stores paths in two bytes a day, with a precision of a ten-thousandth', () => {
  const levels = [7.1, 6.9, 7.35, 7];
  const back = decodeLevels(encodeLevels(levels));
  expect([...back].map((level) => level + 7)).toEqual(levels.map((level) => expect.closeTo(level, 4)));
});
