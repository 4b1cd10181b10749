import { median } from './median.ts';
import type { Pence } from './money.ts';

/** With fewer prices of the package or of comparable ones there is no verdict. */
export const MIN_PRICES = 7;

/** From this difference to a median, in percent, a price is not typical. */
export const NOTABLE_PERCENT = 15;

/** From this difference to a median, in percent, the difference is strong. */
export const STRONG_PERCENT = 25;

export type PriceLevel = 'low' | 'typical' | 'high';

export const PRICE_LEVEL_LABEL: Readonly<Record<PriceLevel, string>> = {
  low: 'Low',
  typical: 'Typical',
  high: 'High',
};

export const NOT_ENOUGH_PRICES = 'Not enough prices yet';

/** One comparison of the price with the median of some prices. */
export interface PriceComparison {
  median: Pence;
  /** The number of prices behind the median. */
  prices: number;
  /** The price relative to the median in percent; -20 is a fifth below it. */
  percent: number;
  level: PriceLevel;
  /** True from 25% on. */
  strong: boolean;
}

export type PriceVerdict =
  | {
      kind: 'verdict';
      level: PriceLevel;
      /** Prices strictly between these are Typical; where the two limits cross, prices at the limits are as well. */
      typicalLow: Pence;
      typicalHigh: Pence;
      own: PriceComparison;
      comparable: PriceComparison;
    }
  | { kind: 'not-enough-prices'; ownPrices: number; comparablePrices: number };

/**
 * Judges a price by two medians: of the package's own daily prices over a rolling year, and of the current prices of
 * comparable packages. At 15% below either it is Low, at 15% above either it is High, and if they contradict each other it
 * is Typical. With fewer than seven prices on either side there is no verdict. Medians keep absurd prices from mattering.
 */
export function judgePrice(input: {
  price: Pence;
  /** The package's own prices, one for each known day. */
  ownPrices: readonly Pence[];
  /** One price for each comparable package, without the package itself. */
  comparablePrices: readonly Pence[];
}): PriceVerdict {
  const own = comparison(input.price, input.ownPrices);
  const comparable = comparison(input.price, input.comparablePrices);
  if (own === null || comparable === null) {
    return {
      kind: 'not-enough-prices',
      ownPrices: input.ownPrices.length,
      comparablePrices: input.comparablePrices.length,
    };
  }
  const lowFrom = Math.floor(percentOf(Math.max(own.median, comparable.median), 100 - NOTABLE_PERCENT));
  const highFrom = Math.ceil(percentOf(Math.min(own.median, comparable.median), 100 + NOTABLE_PERCENT));
  return {
    kind: 'verdict',
    level: together(own.level, comparable.level),
    typicalLow: Math.min(lowFrom, highFrom),
    typicalHigh: Math.max(lowFrom, highFrom),
    own,
    comparable,
  };
}

/** Null if there are too few prices. */
function comparison(price: Pence, prices: readonly Pence[]): PriceComparison | null {
  const middle = median(prices);
  if (middle === null || prices.length < MIN_PRICES) return null;
  return {
    median: middle,
    prices: prices.length,
    percent: ((price - middle) / middle) * 100,
    level: levelAt(price, middle, NOTABLE_PERCENT),
    strong: levelAt(price, middle, STRONG_PERCENT) !== 'typical',
  };
}

function levelAt(price: Pence, middle: Pence, percent: number): PriceLevel {
  if (price <= percentOf(middle, 100 - percent)) return 'low';
  return price >= percentOf(middle, 100 + percent) ? 'high' : 'typical';
}

function together(one: PriceLevel, other: PriceLevel): PriceLevel {
  if (one === 'typical' || one === other) return other;
  return other === 'typical' ? one : 'typical';
}

/** Exact for medians, which are whole or half pence: one product and one division. */
function percentOf(pence: Pence, percent: number): number {
  return (pence * percent) / 100;
}
