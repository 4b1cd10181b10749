import type { DailyPrice } from './daily-prices.ts';
import type { Pence } from './money.ts';

/** How many days back a price is compared, as in Directive 98/6/EC, Article 6a. */
export const CHANGE_DAYS = 30;

export interface PriceChange {
  /** Positive if the price has risen. */
  amount: Pence;
  /** The last day of the earlier price, counted from 1970-01-01. */
  since: number;
}

/**
 * How a price differs from the first one of the last 30 days; null if that is today's. `daily` is in order of
 * days.
 */
export function priceChange(daily: readonly DailyPrice[], price: Pence, today: number): PriceChange | null {
  const recent = daily.filter(({ day }) => day > today - CHANGE_DAYS);
  const [first] = recent;
  if (first === undefined || first.day === today) return null;
  const amount = price - first.price;
  if (amount === 0) return { amount, since: first.day };
  const moved = recent.findIndex((one) => one.price !== first.price);
  return { amount, since: recent.at(moved - 1)?.day ?? first.day };
}
