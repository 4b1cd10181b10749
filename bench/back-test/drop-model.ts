import type { DailyPrice } from '../../domain/daily-prices.ts';
import { median } from '../../domain/median.ts';
import { fitLogisticRegression, predictProbability } from './logistic-regression.ts';

/** A fall of at least this share of the price within `DROP_DAYS` is a drop. */
export const DROP_SHARE = 0.05;

export const DROP_DAYS = 7;

const LOOK_BACK_DAYS = 90;
const MIN_DAYS = 14;

/** How many days of the following week must have a known price to tell whether it dropped. */
const MIN_OUTCOME_DAYS = 5;

/** Days between examples from one history. Adjacent days would be nearly identical. */
const STRIDE = 5;

export interface PastPrices {
  departureDay: number;
  daily: readonly DailyPrice[];
}

/** The chance of a drop in the week after a history's last day. Null if fewer than 14 days are known. */
export type DropModel = (past: PastPrices) => number | null;

/** Fits a logistic regression to histories that end before the day of the fit. */
export function fitDropModel(histories: readonly PastPrices[]): DropModel {
  const weights = fitLogisticRegression(histories.flatMap(dropExamples));
  return (past) => {
    const features = dropFeatures(past);
    return features && predictProbability(weights, features);
  };
}

/**
 * Examples every few days of a history, counted back from its end: the features on that day, and whether the
 * price dropped.
 */
function dropExamples({ departureDay, daily }: PastPrices): { features: number[]; happened: boolean }[] {
  const examples = [];
  for (let end = daily.length; end > 0; end -= STRIDE) {
    const features = dropFeatures({ departureDay, daily: daily.slice(0, end) });
    const happened = droppedAfter(daily, daily[end - 1]?.day ?? 0);
    if (features !== null && happened !== null) examples.push({ features, happened });
  }
  return examples;
}

/**
 * Features: a constant; the price relative to its recent median, minimum, maximum and last week's price; the
 * time since the last change; the lead time. Null if fewer than 14 days are known.
 */
export function dropFeatures({ departureDay, daily }: PastPrices): number[] | null {
  const latest = daily.at(-1);
  if (latest === undefined) return null;
  const recent = daily.filter(({ day }) => day > latest.day - LOOK_BACK_DAYS);
  const prices = recent.map(({ price }) => price);
  const middle = median(prices);
  if (middle === null || recent.length < MIN_DAYS) return null;
  const changed = recent.findLastIndex(({ price }) => Math.abs(price - latest.price) > latest.price * 0.005);
  const unchangedSince = recent[changed + 1]?.day ?? latest.day;
  const weekAgo = recent.findLast(({ day }) => day <= latest.day - DROP_DAYS)?.price ?? latest.price;
  // Clamped, so that an extreme price does not dominate.
  const relativeTo = (price: number) => Math.max(-5, Math.min(5, Math.log(latest.price / price) * 10));
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
    (latest.day - unchangedSince + 1) / LOOK_BACK_DAYS,
    lead < 30 ? 1 : 0,
    Math.min(lead, 300) / 300,
  ];
}

/** Whether the price fell by 5% or more in the seven days after `day`. Null if too few of those days are known. */
export function droppedAfter(daily: readonly DailyPrice[], day: number): boolean | null {
  const price = daily.find((one) => one.day === day)?.price;
  const next = daily.filter((one) => one.day > day && one.day <= day + DROP_DAYS);
  const isOver = (daily.at(-1)?.day ?? 0) >= day + DROP_DAYS;
  if (price === undefined || !isOver || next.length < MIN_OUTCOME_DAYS) return null;
  return next.some((one) => one.price <= price * (1 - DROP_SHARE));
}
