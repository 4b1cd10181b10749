import type { DailyPrice } from '../../domain/daily-prices.ts';

/** A history as a few points: those where the price changed, and the extremes that a reader is told of. */
export interface HistoryPoints {
  /** In the order of time, at most `most`; the first and the last day are always among them. */
  points: DailyPrice[];
  /** The latest of the days with the lowest price. */
  lowest: DailyPrice;
  latest: DailyPrice;
}

/** Null for an empty history. Where there are more changes than `most`, the smallest are left out. */
export function historyPoints(daily: readonly DailyPrice[], most: number): HistoryPoints | null {
  const [first] = daily;
  const latest = daily.at(-1);
  if (first === undefined || latest === undefined) return null;
  const lowest = daily.reduce((low, one) => (one.price <= low.price ? one : low));
  const kept = new Set([first, lowest, latest]);
  const changes = daily
    .map((one, index) => ({ one, step: Math.abs(one.price - (daily[index - 1] ?? one).price) }))
    .filter(({ one, step }) => step > 0 && !kept.has(one))
    .toSorted((a, b) => b.step - a.step);
  for (const { one } of changes.slice(0, Math.max(0, most - kept.size))) kept.add(one);
  return { points: daily.filter((one) => kept.has(one)), lowest, latest };
}
