import { type CalendarDate, dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';

/** A day's price, in pounds. */
export interface PlotPoint {
  day: CalendarDate;
  price: number;
}

const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/** About `count` round amounts for an axis, at least two, that enclose the lowest and the highest. */
export function priceTicks(lowest: number, highest: number, count: number): number[] {
  const rough = Math.max((highest - lowest) / count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, Math.round((ROUND_STEPS.find((round) => round * power >= rough) ?? 10) * power));
  const first = Math.floor(lowest / step);
  const last = Math.max(first + 1, Math.ceil(highest / step));
  return Array.from({ length: last - first + 1 }, (_, nth) => (first + nth) * step);
}

/** `count` evenly spaced days, including the first and the last. */
export function dayTicks(from: CalendarDate, to: CalendarDate, count: number): CalendarDate[] {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return Array.from({ length: count }, (_, nth) =>
    fromDayNumber(first + Math.round(((last - first) * nth) / (count - 1))),
  );
}

/** Splits the points where a day is missing, so that no line crosses days without a price. */
export function withoutGaps(points: readonly PlotPoint[]): PlotPoint[][] {
  const runs: PlotPoint[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && dayNumber(point.day) - dayNumber(before.day) === 1) run.push(point);
    else runs.push([point]);
  }
  return runs;
}
