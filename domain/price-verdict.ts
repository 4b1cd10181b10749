import { median } from './median.ts';
import type { Pence } from './money.ts';

/** Fewer prices than this, of the package or of comparable ones, are no ground for a word. */
export const MIN_PRICES = 7;

/** A price this far from a median, in percent, is no longer typical. */
export const NOTABLE_PERCENT = 15;

/** From here on, in percent, it is far from it. */
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
  /** How many prices the median is of. */
  prices: number;
  /** The price against the median in percent; -20 is a fifth below it. */
  percent: number;
  level: PriceLevel;
  /** True from 25% on. */
  strong: boolean;
}

export type PriceVerdict =
  | {
      kind: 'verdict';
      level: PriceLevel;
      /** The prices strictly between which the verdict would be Typical, or including both where they cross. */
      typicalLow: Pence;
      typicalHigh: Pence;
      own: PriceComparison;
      comparable: PriceComparison;
    }
  | { kind: 'not-enough-prices'; ownPrices: number; comparablePrices: number };

/**
 * Judges a price by two medians: of what the package itself has cost (a price a day, over a rolling year) and
 * of what comparable packages cost now. At 15% below one of them it is Low, at 15% above one it is High; where
 * one says Low and the other High it is Typical, since the two take each other's word back. With fewer than
 * seven prices on either side there is no verdict. Absurd prices move a median by a place, not by their size.
 */
export function judgePrice(input: {
  price: Pence;
  /** The package's own prices, one for each day on which it was known. */
  ownPrices: readonly Pence[];
  /** One price for each comparable package; the package itself is none of them. */
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

/** Null where there are too few prices to compare with. */
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

/** Exact for whole and half pence, which medians are: one product and one division. */
function percentOf(pence: Pence, percent: number): number {
  return (pence * percent) / 100;
}
