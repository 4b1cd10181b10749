import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DayEffect, dayForecasts, FORECAST_DAYS } from './day-effects.ts';

const LAST = 20_000;

/** Four weeks of effects up to the last day. */
function series(effectOn: (day: number) => number, pricesOn: (day: number) => number = () => 80) {
  return new Map<number, DayEffect>(
    Array.from({ length: 28 }, (_, index) => LAST - 27 + index)
      .filter((day) => pricesOn(day) > 0)
      .map((day) => [day, { effect: effectOn(day), prices: pricesOn(day) }]),
  );
}

/** A small deterministic noise. */
const noise = (day: number) => 0.004 * Math.sin(day * 12.9898);

describe('the forecast of the days ahead', () => {
  it('continues a cycle of any length up to a fortnight', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 13 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        (length, phase, high) => {
          const effectOn = (day: number) => ((day + phase) % length < Math.min(high, length - 1) ? 0.14 : 0);
          const ahead = dayForecasts(
            series((day) => effectOn(day) + noise(day)),
            LAST,
          );
          for (const [index, effect] of ahead.entries())
            expect(effect).toBeCloseTo(effectOn(LAST + 1 + index), 1.9);
        },
      ),
    );
  });

  it('has learned a shift of the whole market after three days', () => {
    const ahead = dayForecasts(
      series((day) => (day > LAST - 3 ? 0.14 : 0) + noise(day)),
      LAST,
    );
    expect(ahead).toHaveLength(FORECAST_DAYS);
    for (const effect of ahead) expect(effect).toBeCloseTo(0.14, 1.9);
  });

  it('follows a level that steps at once', () => {
    const steps = [0, 0.1, -0.05, 0.08, 0.2, 0.05];
    const effectOn = (day: number) => steps[Math.floor((day - LAST + 28) / 5)] ?? 0;
    const [next] = dayForecasts(series(effectOn), LAST);
    expect(next).toBeCloseTo(effectOn(LAST), 2);
  });

  it('takes the mean of three days for a steady level, by their numbers of prices', () => {
    const prices = (day: number) => (day === LAST ? 40 : 80);
    const [next] = dayForecasts(
      series((day) => 0.001 * (day - LAST), prices),
      LAST,
    );
    expect(next).toBeCloseTo((-0.001 * 80 - 0.002 * 80) / 200, 8);
  });

  it('leaves out a day that has just begun', () => {
    const [next] = dayForecasts(
      series(
        (day) => (day === LAST ? 1 : 0),
        (day) => (day === LAST ? 2 : 80),
      ),
      LAST,
    );
    expect(next).toBe(0);
  });

  it('forecasts days between which there are days without prices', () => {
    const ahead = dayForecasts(
      series(
        () => 0.03,
        (day) => (day % 5 === LAST % 5 ? 80 : 0),
      ),
      LAST,
    );
    for (const effect of ahead) expect(effect).toBeCloseTo(0.03, 8);
  });
});
