import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { Pence } from '../../domain/money.ts';
import { seededRandom } from '../../server/sample/seeded-random.ts';
import { DROP_DAYS, DROP_SHARE, fitDropModel, type PastPrices } from './drop-model.ts';
import { dailyPricesOf, type PanelPackage, randomSample } from './market-panel.ts';
import { onSaleFrom } from './walk-forward.ts';

const HISTORY_DAYS = 90;

/** How many histories the model trains on, and how many searches test it. */
const HISTORIES = 2_500;

/** A search: its price, the prices on the days after it, and the predicted chance of a drop. */
export interface Search {
  price: Pence;
  after: readonly DailyPrice[];
  chance: number;
}

export interface WaitOutcome {
  searches: number;
  waits: number;
  /** Waits during which the price dropped by 5% or more. */
  right: number;
  /** Searches followed by a drop. */
  drops: number;
  /** Pence that waiting saved over all searches, minus the pence that it lost. */
  saved: Pence;
  /** Pence that would be saved if future prices were known. */
  possible: Pence;
  /** Pence spent by always buying immediately. */
  spent: Pence;
}

/**
 * The outcome if visitors wait after searches with at least this chance of a drop. They buy on the first day of
 * a drop, or else on the seventh day.
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

/** The threshold that saves most. Above 1 if waiting never saves anything. */
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

/** Savings from waiting after `day`. The chances and the threshold come from earlier days. */
export function waitingAfter(panel: readonly PanelPackage[], day: number, seed: number): WaitOutcome {
  const onSale = onSaleFrom(panel, day);
  const pastOf = (one: PanelPackage, until: number): PastPrices => ({
    departureDay: one.priced.departureDay,
    daily: dailyPricesOf(one, until - HISTORY_DAYS, until),
  });
  const learned = randomSample(onSale, HISTORIES, seed, day);
  const chanceOf = fitDropModel(learned.map((one) => pastOf(one, day)));
  const searchOf = (one: PanelPackage, searchDay: number): Search => ({
    price: one.priceOn(searchDay),
    after: dailyPricesOf(one, searchDay + 1, searchDay + DROP_DAYS),
    chance: chanceOf(pastOf(one, searchDay)) ?? 0,
  });
  // The threshold comes from searches earlier than the tested ones.
  const threshold = bestThreshold(learned.map((one) => searchOf(one, day - DROP_DAYS)));
  const tried = randomSample(onSale, HISTORIES, seed, day + 1).map((one, index) =>
    searchOf(one, day + 1 + Math.floor(seededRandom(seed, day, index) * DROP_DAYS)),
  );
  return waitOutcome(tried, threshold);
}
