import type { DailyPrice } from '../../domain/daily-prices.ts';

/**
 * A history reduced to at most `max` points in order of days: the first, the last, the last of the lowest
 * price, and the largest changes.
 */
export function historyPoints(daily: readonly DailyPrice[], max: number): DailyPrice[] {
  const lowest = daily.reduce<DailyPrice | undefined>(
    (low, one) => (low && one.price > low.price ? low : one),
    undefined,
  );
  const kept = new Set([daily[0], lowest, daily.at(-1)]);
  const changes = daily
    .map((one, index) => ({ one, step: Math.abs(one.price - (daily[index - 1] ?? one).price) }))
    .filter(({ one, step }) => step > 0 && !kept.has(one))
    .toSorted((a, b) => b.step - a.step);
  for (const { one } of changes.slice(0, Math.max(0, max - kept.size))) kept.add(one);
  return daily.filter((one) => kept.has(one));
}
