import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { median } from '../../../domain/median.ts';

/** A drop of at least this share of the price ... */
export const DROP_SHARE = 0.05;

/** ... at some time in so many days. */
export const DROP_DAYS = 7;

/** Days of history that the chance of a drop is judged by: tried 30, 60 and 90, of which 90 saved most. */
const LOOK_BACK = 90;

const LEAST_DAYS = 14;

/**
 * What the chance of a drop is judged by: how far the price stands from its own recent median, low and high, how
 * it moved, how long ago, and how near departure is. Null for less than two weeks of history.
 */
export function dropFeatures(history: readonly DailyPrice[], departureDay: number): number[] | null {
  const recent = history.slice(-LOOK_BACK);
  const latest = recent.at(-1);
  const prices = recent.map(({ price }) => price);
  const middle = median(prices);
  if (latest === undefined || middle === null || recent.length < LEAST_DAYS) return null;
  const lastChange = prices.findLastIndex((price) => Math.abs(price - latest.price) > latest.price * 0.005);
  const still = Math.min(recent.length - 1 - lastChange, LOOK_BACK) / LOOK_BACK;
  const weekAgo = prices.at(-8) ?? latest.price;
  const against = (price: number) => clamp(Math.log(latest.price / price) * 10);
  const fromMiddle = against(middle);
  const lead = departureDay - latest.day;
  return [
    1,
    fromMiddle,
    Math.max(0, fromMiddle - 0.5),
    Math.max(0, -fromMiddle - 0.5),
    against(Math.min(...prices)),
    against(Math.max(...prices)),
    against(weekAgo),
    still,
    lead < 30 ? 1 : 0,
    Math.min(lead, 300) / 300,
  ];
}

/** Whether the price fell by 5% or more at some time in the seven days after `day`; null where not all are known. */
export function droppedAfter(history: readonly DailyPrice[], day: number): boolean | null {
  const start = history.findIndex((one) => one.day === day);
  const next = history.slice(start + 1, start + 1 + DROP_DAYS);
  const price = history[start]?.price;
  if (price === undefined || next.length < DROP_DAYS) return null;
  return next.some((one) => one.price <= price * (1 - DROP_SHARE));
}

/** An absurd price must not carry a chance away. */
function clamp(value: number): number {
  return Math.max(-5, Math.min(5, value));
}
