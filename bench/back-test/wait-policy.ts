import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { Pence } from '../../domain/money.ts';
import { DROP_DAYS, DROP_SHARE } from '../../server/price-history/model/drop-features.ts';

/** One search: its price, the prices of the following days, and the predicted chance of a drop. */
export interface Search {
  price: Pence;
  after: readonly DailyPrice[];
  chance: number;
}

export interface WaitOutcome {
  searches: number;
  waits: number;
  /** Waits in which the price dropped by 5% or more. */
  right: number;
  /** Searches that were followed by a drop. */
  drops: number;
  /** Pence saved over all searches, minus what waiting lost. */
  saved: Pence;
  /** Pence that perfect hindsight would have saved. */
  possible: Pence;
  /** Pence that buying immediately costs. */
  spent: Pence;
}

/**
 * The outcome of waiting if the chance is at least `threshold`. A buyer who waits buys on the first day of a drop,
 * otherwise on the seventh day.
 */
export function waitOutcome(searches: readonly Search[], threshold: number): WaitOutcome {
  const outcome: WaitOutcome = { searches: 0, waits: 0, right: 0, drops: 0, saved: 0, possible: 0, spent: 0 };
  for (const { price, after, chance } of searches) {
    const prices = after.slice(0, DROP_DAYS).map((one) => one.price);
    const drop = prices.find((later) => later <= price * (1 - DROP_SHARE));
    outcome.searches += 1;
    outcome.spent += price;
    outcome.possible += Math.max(0, price - Math.min(...prices));
    if (drop !== undefined) outcome.drops += 1;
    if (chance < threshold) continue;
    outcome.waits += 1;
    if (drop !== undefined) outcome.right += 1;
    outcome.saved += price - (drop ?? prices.at(-1) ?? price);
  }
  return outcome;
}

/** The threshold that saved most on these searches; more than 1 if waiting never paid. */
export function bestThreshold(searches: readonly Search[]): number {
  const thresholds = [2, ...Array.from({ length: 40 }, (_, index) => 0.05 + index * 0.02)];
  return thresholds.reduce(
    (best, threshold) => {
      const { saved } = waitOutcome(searches, threshold);
      return saved > best.saved ? { threshold, saved } : best;
    },
    { threshold: 2, saved: 0 },
  ).threshold;
}
