import { median } from './median.ts';
import type { Pence } from './money.ts';

/** With fewer prices of the package or of comparable packages, there is no verdict. */
export const MIN_PRICES = 7;

/** A verdict needs comparable packages in at least this many other hotels. */
export const MIN_HOTELS = 3;

/** A Low or High price is at least this many percent away from one of the medians. */
const NOTABLE_PERCENT = 15;

/** A Low or High price is at least this many percent away from the other median, in the same direction. */
const MIN_PERCENT = 5;

/** A strong verdict needs this many percent from one median, and `NOTABLE_PERCENT` from the other. */
const STRONG_PERCENT = 25;

/** At or below this percentage of the package's own median, a price for two may be per person by mistake. */
const SLIPPED_PERCENT = 55;

/** A Low price is at least this many percent below the lowest tenth of the package's earlier prices. */
const BELOW_EARLIER_LOWS_PERCENT = 5;

/** Prices within this many percent of the current price count as the same price. */
const SAME_STRETCH_PERCENT = 2;

export type PriceLevel = 'low' | 'typical' | 'high';

export type PriceAbstention =
  | { kind: 'stale'; daysSinceSeen: number; staleAfterDays: number }
  | { kind: 'few-own-prices'; prices: number }
  | { kind: 'few-comparable-prices'; prices: number }
  | { kind: 'few-comparable-hotels'; hotels: number };

/** The price compared with the median of some prices. */
export interface PriceComparison {
  median: Pence;
  /** The number of prices behind the median. */
  prices: number;
  /** How far the price is from the median, in percent: -20 means a fifth below it. */
  percent: number;
}

export interface ComparableComparison extends PriceComparison {
  /** How many hotels the comparable packages are in. */
  hotels: number;
}

/** A price below `typicalLow` is Low, one above `typicalHigh` is High, and any other is Typical. */
export interface TypicalRange {
  typicalLow: Pence;
  typicalHigh: Pence;
}

export type PriceVerdict =
  | ({
      kind: 'verdict';
      level: PriceLevel;
      /** True if the price differs from one median by at least 25%, and from the other by at least 15%. */
      isStrong: boolean;
      own: PriceComparison;
      comparable: ComparableComparison;
    } & TypicalRange)
  /** The price is so far below `expected` that it is probably a mistake. */
  | { kind: 'check-price'; expected: Pence }
  | { kind: 'no-verdict'; reason: PriceAbstention };

export interface PriceEstimate {
  price: Pence;
  low: Pence;
  high: Pence;
}

export interface VerdictInput {
  price: Pence;
  /** Whole days since the price was last seen, and the number above which it is stale. */
  daysSinceSeen: number;
  staleAfterDays: number;
  /** The package's own daily prices, in order of time. */
  ownPrices: readonly Pence[];
  /** One current price per comparable package in other hotels. */
  comparables: { prices: readonly Pence[]; hotels: number };
  /** The model's estimate, with the range for 80% of prices; null without a model. */
  expected: PriceEstimate | null;
}

/**
 * Judges a price by one range (docs/price-analysis.md): at least 5% around both medians and 15% around one,
 * and the model's estimate. The range extends to 5% below the lowest tenth of earlier prices, so that raising
 * a price and cutting it again does not make it Low.
 */
export function judgePrice(input: VerdictInput): PriceVerdict {
  const { price, daysSinceSeen, staleAfterDays, ownPrices, comparables, expected } = input;
  if (daysSinceSeen > staleAfterDays) {
    return { kind: 'no-verdict', reason: { kind: 'stale', daysSinceSeen, staleAfterDays } };
  }
  if (expected !== null && price * 2 < expected.price) {
    return { kind: 'check-price', expected: expected.price };
  }
  const own = comparison(price, ownPrices);
  const comparable = comparison(price, comparables.prices);
  const { hotels } = comparables;
  if (own === null) return noVerdict({ kind: 'few-own-prices', prices: ownPrices.length });
  if (comparable === null)
    return noVerdict({ kind: 'few-comparable-prices', prices: comparables.prices.length });
  if (hotels < MIN_HOTELS) return noVerdict({ kind: 'few-comparable-hotels', hotels });
  const usual = slippedFrom(price, own.median, comparable.median, expected);
  if (usual !== null) return { kind: 'check-price', expected: usual };
  const range = typicalRange(price, own.median, comparable.median, ownPrices, expected);
  const level = levelIn(range, price);
  const isStrong =
    level !== 'typical' &&
    [own, comparable].every(({ percent }) => Math.abs(percent) >= NOTABLE_PERCENT) &&
    [own, comparable].some(({ percent }) => Math.abs(percent) >= STRONG_PERCENT);
  return { kind: 'verdict', level, isStrong, ...range, own, comparable: { ...comparable, hotels } };
}

export function levelIn({ typicalLow, typicalHigh }: TypicalRange, price: Pence): PriceLevel {
  if (price < typicalLow) return 'low';
  return price > typicalHigh ? 'high' : 'typical';
}

function noVerdict(reason: PriceAbstention): PriceVerdict {
  return { kind: 'no-verdict', reason };
}

/** Compares a price with a median; null if there are too few prices. */
function comparison(price: Pence, prices: readonly Pence[]): PriceComparison | null {
  const middle = median(prices);
  if (middle === null || prices.length < MIN_PRICES) return null;
  return { median: middle, prices: prices.length, percent: ((price - middle) / middle) * 100 };
}

/** If this price is probably a mistake, the likely correct price; else null. */
function slippedFrom(
  price: Pence,
  own: Pence,
  comparable: Pence,
  expected: PriceEstimate | null,
): Pence | null {
  if (price * 100 <= own * SLIPPED_PERCENT) return own;
  return expected === null && price * 2 < comparable ? comparable : null;
}

function typicalRange(
  price: Pence,
  own: Pence,
  comparable: Pence,
  ownPrices: readonly Pence[],
  expected: PriceEstimate | null,
): TypicalRange {
  const [lower, upper] = [Math.min(own, comparable), Math.max(own, comparable)];
  const low = Math.min(
    percentOf(upper, 100 - NOTABLE_PERCENT),
    percentOf(lower, 100 - MIN_PERCENT),
    percentOf(earlierLow(price, ownPrices), 100 - BELOW_EARLIER_LOWS_PERCENT),
    expected?.price ?? Number.POSITIVE_INFINITY,
  );
  const high = Math.max(
    percentOf(lower, 100 + NOTABLE_PERCENT),
    percentOf(upper, 100 + MIN_PERCENT),
    expected?.price ?? Number.NEGATIVE_INFINITY,
  );
  // Adds half a pound to each side, so that a Low or High price never rounds to the same whole pounds as the
  // limit.
  return {
    typicalLow: Math.max(0, Math.floor(low / 100) * 100 - 50),
    typicalHigh: Math.ceil(high / 100) * 100 + 49,
  };
}

function percentOf(pence: number, percent: number): number {
  return (pence * percent) / 100;
}

/** The lowest tenth of the prices before the current price began. */
function earlierLow(price: Pence, ownPrices: readonly Pence[]): number {
  const isSame = (one: Pence) => Math.abs(one - price) * 100 <= price * SAME_STRETCH_PERCENT;
  const earlier = ownPrices.slice(0, ownPrices.findLastIndex((one) => !isSame(one)) + 1);
  const sorted = earlier.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 10)] ?? Number.POSITIVE_INFINITY;
}
