import type { DailyPrice } from '../../../domain/daily-prices.ts';
import { median } from '../../../domain/median.ts';

/** A drop is a fall of at least this share of the price within `DROP_DAYS`. */
export const DROP_SHARE = 0.05;

export const DROP_DAYS = 7;

/** The days of history that the features cover. Of 30, 60 and 90, 90 saved most in the back-test. */
const LOOK_BACK_DAYS = 90;

const MIN_DAYS = 14;

/** Of the days of an outcome, this many must be known. */
const MIN_OUTCOME_DAYS = 5;

/**
 * The features of the drop model: a constant; the price relative to its recent median, minimum, maximum and the price a
 * week ago; the time since the last change; the lead time. Null for fewer than 14 known days.
 */
export function dropFeatures(history: readonly DailyPrice[], departureDay: number): number[] | null {
  const latest = history.at(-1);
  if (latest === undefined) return null;
  const recent = history.filter(({ day }) => day > latest.day - LOOK_BACK_DAYS);
  const prices = recent.map(({ price }) => price);
  const middle = median(prices);
  if (middle === null || recent.length < MIN_DAYS) return null;
  const changed = recent.findLastIndex(({ price }) => Math.abs(price - latest.price) > latest.price * 0.005);
  const unchangedSince = recent[changed + 1]?.day ?? latest.day;
  const unchanged = (latest.day - unchangedSince + 1) / LOOK_BACK_DAYS;
  const weekAgo = recent.findLast(({ day }) => day <= latest.day - DROP_DAYS)?.price ?? latest.price;
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

/** Whether the price fell by 5% or more in the seven days after `day`; null if too few of them are known. */
export function droppedAfter(history: readonly DailyPrice[], day: number): boolean | null {
  const start = history.findIndex((one) => one.day === day);
  const next = history.slice(start + 1, start + 1 + DROP_DAYS).filter((one) => one.day <= day + DROP_DAYS);
  const price = history[start]?.price;
  const isOver = (history.at(-1)?.day ?? 0) >= day + DROP_DAYS;
  if (price === undefined || !isOver || next.length < MIN_OUTCOME_DAYS) return null;
  return next.some((one) => one.price <= price * (1 - DROP_SHARE));
}

/**
 * What it saves to wait from `day` for a drop, and to buy on its first day or at the end of the week, and what hindsight
 * would have saved, as shares of the price.
 */
export function waitingSaves(
  history: readonly DailyPrice[],
  day: number,
): { saved: number; possible: number } {
  const price = history.find((one) => one.day === day)?.price ?? 1;
  const next = history.filter((one) => one.day > day && one.day <= day + DROP_DAYS).map((one) => one.price);
  const paid = next.find((one) => one <= price * (1 - DROP_SHARE)) ?? next.at(-1) ?? price;
  return { saved: (price - paid) / price, possible: Math.max(0, price - Math.min(...next)) / price };
}

/** Limits the effect of an absurd price. */
function clamp(value: number): number {
  return Math.max(-5, Math.min(5, value));
}
