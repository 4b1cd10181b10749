import type { DailyPrice } from './daily-prices.ts';

export interface LowestPrice extends DailyPrice {
  /** The number of days with a price. */
  days: number;
}

/** The lowest price and the last day that had it; null if there are no prices. */
export function lowestOf(daily: readonly DailyPrice[]): LowestPrice | null {
  const [first] = daily;
  if (first === undefined) return null;
  const lowest = daily.reduce((low, one) => (one.price <= low.price ? one : low));
  return { ...lowest, days: daily.length };
}
