import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLevels, encodeLevels } from '../server/price-history/price-path-table.ts';
import { dailyPrices } from './daily-prices.ts';
import { londonDay } from './london-time.ts';

const at = (day: number, price: number, minute = 600) => ({
  seenAt: day * 1440 + minute,
  price,
  isAfterGap: false,
});
const isAfterGap = (day: number, price: number) => ({ ...at(day, price), isAfterGap: true });

describe('The daily prices of a package', () => {
  it('cover the days on which a price was seen, with the last price of each day', () => {
    const observations = [at(100, 500), at(102, 500, 60), at(102, 470, 900), at(105, 470), at(107, 510)];
    expect(dailyPrices({ observations, path: null, today: 109, days: 365 })).toEqual([
      { day: 100, price: 500 },
      { day: 101, price: 500 },
      { day: 102, price: 470 },
      { day: 103, price: 470 },
      { day: 104, price: 470 },
      { day: 105, price: 470 },
      { day: 107, price: 510 },
    ]);
  });

  it('exclude days after the last sighting, and days in a gap', () => {
    const seenOnce = [at(100, 500)];
    expect(dailyPrices({ observations: seenOnce, path: null, today: 160, days: 365 })).toHaveLength(1);
    const seenTwice = [at(100, 500), isAfterGap(160, 500)];
    const daily = dailyPrices({ observations: seenTwice, path: null, today: 160, days: 365 });
    expect(daily.map(({ day }) => day)).toEqual([100, 160]);
  });

  it('belong to London’s day, which begins an hour before that of UTC in summer', () => {
    const seenAt = (instant: string) => Date.parse(instant) / 60_000;
    const evening = { seenAt: seenAt('2027-07-15T22:59:00Z'), price: 500, isAfterGap: false };
    const midnight = { seenAt: seenAt('2027-07-15T23:00:00Z'), price: 400, isAfterGap: false };
    const today = Date.parse('2027-07-16') / 86_400_000;
    expect(dailyPrices({ observations: [evening, midnight], path: null, today, days: 2 })).toEqual([
      { day: today - 1, price: 500 },
      { day: today, price: 400 },
    ]);
  });

  it('begin at the start of the window', () => {
    const observations = [at(90, 400), at(101, 400)];
    expect(dailyPrices({ observations, path: null, today: 101, days: 2 })).toEqual([
      { day: 100, price: 400 },
      { day: 101, price: 400 },
    ]);
  });

  it('follow the price path before the first observation, in steps of whole pounds', () => {
    const path = { lastDay: 100, levels: [Math.log(0.8), Math.log(1.25), 0] };
    const daily = dailyPrices({ observations: [at(100, 100_099)], path, today: 101, days: 10 });
    expect(daily).toEqual([
      { day: 98, price: 80_099 },
      { day: 99, price: 125_099 },
      { day: 100, price: 100_099 },
    ]);
  });

  it('are unknown between the end of a path and a later first observation', () => {
    const path = { lastDay: 90, levels: [0, 0] };
    const daily = dailyPrices({ observations: [at(95, 10_000)], path, today: 95, days: 30 });
    expect(daily.map(({ day }) => day)).toEqual([89, 90, 95]);
  });

  it('include each day at most once, with the last price seen on it, for any sightings', () => {
    const sightings = fc.array(
      fc.record({ later: fc.nat(4 * 1440), price: fc.constantFrom(400, 500), isAfterGap: fc.boolean() }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(sightings, fc.integer({ min: 1, max: 60 }), (steps, days) => {
        let minute = 20_900 * 1440;
        const observations = steps.map(({ later, ...one }) => {
          minute += later;
          return { ...one, seenAt: minute };
        });
        const today = londonDay(minute) + 3;
        const daily = dailyPrices({ observations, path: null, today, days });
        const seen = daily.map(({ day }) => day);
        expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other));
        for (const { day, price } of daily) {
          expect(day).toBeGreaterThan(today - days);
          const onDay = observations.filter(({ seenAt }) => londonDay(seenAt) === day);
          const next = observations.find(({ seenAt }) => londonDay(seenAt) > day);
          if (onDay.length > 0) expect(price).toBe(onDay.at(-1)?.price);
          else expect(next).toMatchObject({ price, isAfterGap: false });
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
