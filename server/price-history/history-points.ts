import type { DailyPrice } from '../../domain/daily-prices.ts';

/** A history reduced to price changes and extremes. */
export interface HistoryPoints {
  /** In order of days, always with the first and last day. */
  points: DailyPrice[];
  /** The last day with the lowest price. */
  lowest: DailyPrice;
  latest: DailyPrice;
}

/** Reduces a history to at most `max` points by dropping the smallest changes; null for an empty history. */
export function historyPoints(daily: readonly DailyPrice[], max: number): HistoryPoints | null {
  const [first] = daily;
  const latest = daily.at(-1);
  if (first === undefined || latest === undefined) return null;
  const lowest = daily.reduce((low, one) => (one.price <= low.price ? one : low));
  const kept = new Set([first, lowest, latest]);
  const changes = daily
    .map((one, index) => ({ one, step: Math.abs(one.price - (daily[index - 1] ?? one).price) }))
    .filter(({ one, step }) => step > 0 && !kept.has(one))
    .toSorted((a, b) => b.step - a.step);
  for (const { one } of changes.slice(0, Math.max(0, max - kept.size))) kept.add(one);
  return { points: daily.filter((one) => kept.has(one)), lowest, latest };
}
