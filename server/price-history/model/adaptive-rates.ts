import { type MissRates, NOMINAL_RATE } from './error-range.ts';
import { expectedPrice, type HedonicModel } from './hedonic-model.ts';
import type { PricedExample } from './price-fit.ts';

/** How far a day's misses move the rates. Larger values follow a change sooner, but with more noise. */
const STEP = 0.3;

/** A day with fewer prices changes nothing. With 50, chance moves a rate by 1.3 points: 0.3 × √(0.1 × 0.9 / 50). */
export const MIN_UNSEEN = 50;

/** Keep the band finite after a shift of the market, and wider than nothing after calm weeks. */
const MIN_RATE = 0.01;
const MAX_RATE = 0.3;

/**
 * The rates of the next model, from a day of prices that the last model has not learned from: if its range missed too
 * many, the next one is wider. They stay if there are too few prices. Adaptive conformal inference, on each side by
 * itself (Gibbs and Candès, 'Adaptive Conformal Inference Under Distribution Shift', NeurIPS 2021).
 */
export function adaptedRates(last: HedonicModel, unseen: readonly PricedExample[]): MissRates {
  const { rates } = last.range;
  if (unseen.length < MIN_UNSEEN) return rates;
  let [below, above] = [0, 0];
  for (const { priced, pricedDay, price } of unseen) {
    const { low, high } = expectedPrice(last, priced, pricedDay);
    if (price < low) below += 1;
    if (price > high) above += 1;
  }
  const next = (rate: number, missed: number) =>
    Math.min(MAX_RATE, Math.max(MIN_RATE, rate + STEP * (NOMINAL_RATE - missed / unseen.length)));
  return { below: next(rates.below, below), above: next(rates.above, above) };
}
