import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { median } from '../../../domain/median.ts';

/** A drop is a fall of at least this share of the price within `DROP_DAYS`. */
export const DROP_SHARE = 0.05;

export const DROP_DAYS = 7;

/** The days of history that the features cover. Of 30, 60 and 90, 90 saved most in the back-test. */
const LOOK_BACK_DAYS = 90;

const MIN_DAYS = 14;

/**
 * The features of the drop model: a constant; the price relative to its recent median, minimum, maximum and the price a
 * week ago; the time since the last change; the lead time. Null for less than two weeks of history.
 */
export function dropFeatures(history: readonly DailyPrice[], departureDay: number): number[] | null {
  const recent = history.slice(-LOOK_BACK_DAYS);
  const latest = recent.at(-1);
  const prices = recent.map(({ price }) => price);
  const middle = median(prices);
  if (latest === undefined || middle === null || recent.length < MIN_DAYS) return null;
  const lastChange = prices.findLastIndex((price) => Math.abs(price - latest.price) > latest.price * 0.005);
  const unchanged = Math.min(recent.length - 1 - lastChange, LOOK_BACK_DAYS) / LOOK_BACK_DAYS;
  const weekAgo = prices.at(-8) ?? latest.price;
  const relativeTo = (price: number) => clamp(Math.log(latest.price / price) * 10);
  const fromMiddle = relativeTo(middle);
  const lead = departureDay - latest.day;
  return [
    1,
    fromMiddle,
    Math.max(0, fromMiddle - 0.5),
    Math.max(0, -fromMiddle - 0.5),
    relativeTo(Math.min(...prices)),
    relativeTo(Math.max(...prices)),
    relativeTo(weekAgo),
    unchanged,
    lead < 30 ? 1 : 0,
    Math.min(lead, 300) / 300,
  ];
}

/** Whether the price fell by 5% or more in the seven days after `day`; null unless all seven are known. */
export function droppedAfter(history: readonly DailyPrice[], day: number): boolean | null {
  const start = history.findIndex((one) => one.day === day);
  const next = history.slice(start + 1, start + 1 + DROP_DAYS);
  const price = history[start]?.price;
  if (price === undefined || next.length < DROP_DAYS) return null;
  return next.some((one) => one.price <= price * (1 - DROP_SHARE));
}

/** Limits the effect of an absurd price. */
function clamp(value: number): number {
  return Math.max(-5, Math.min(5, value));
}
