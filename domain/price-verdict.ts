import { median } from './median.ts';
import type { Pence } from './money.ts';

/** With fewer days of prices, a package has no median of its own. */
export const MIN_PRICES = 7;

/** Without a band, a Low or High price is at least this many percent from the package's own median. */
const OWN_PERCENT = 10;

export type PriceLevel = 'low' | 'typical' | 'high';

/** 'check-price': so far below what is usual that it is probably a mistake. */
export type PriceVerdict = PriceLevel | 'check-price';

/** Why there is no verdict. 'mixed': outside the band, but not beyond the package's own median. */
export type PriceAbstention = 'stale' | 'few-prices' | 'mixed';

/** The model's estimate, with the range that holds four prices in five. */
export interface PriceEstimate {
  price: Pence;
  low: Pence;
  high: Pence;
}

/** The range that holds four prices in five, in whole pounds. */
export interface PriceBand {
  low: Pence;
  high: Pence;
}

export interface VerdictInput {
  price: Pence;
  /** Whole days since the price was last seen, and the number above which it is stale. */
  daysSinceSeen: number;
  staleAfterDays: number;
  /** The package's own daily prices. */
  ownPrices: readonly Pence[];
  /** Null without a model. */
  expected: PriceEstimate | null;
}

export interface PriceJudgement {
  /** Null if there is an abstention. */
  verdict: PriceVerdict | null;
  abstention: PriceAbstention | null;
  /** Null without a model; so is `expected`. */
  band: PriceBand | null;
  expected: Pence | null;
  /** Null for fewer than `MIN_PRICES` prices. */
  ownMedian: Pence | null;
}

/** Judges a price by the band and the package's own median (docs/price-analysis.md). */
export function judgePrice(input: VerdictInput): PriceJudgement {
  const { price, daysSinceSeen, staleAfterDays, ownPrices, expected } = input;
  const ownMedian = ownPrices.length < MIN_PRICES ? null : median(ownPrices);
  const band = expected && {
    low: Math.floor(expected.low / 100) * 100,
    high: Math.ceil(expected.high / 100) * 100,
  };
  const facts = { band, expected: expected?.price ?? null, ownMedian };
  if (daysSinceSeen > staleAfterDays) return { verdict: null, abstention: 'stale', ...facts };
  const isSuspect = [facts.expected, ownMedian].some((usual) => usual !== null && price * 2 <= usual);
  const verdict = isSuspect ? 'check-price' : levelOf(price, band, ownMedian);
  if (verdict !== null) return { verdict, abstention: null, ...facts };
  return { verdict, abstention: ownMedian === null ? 'few-prices' : 'mixed', ...facts };
}

/**
 * Low is below the band and the package's own median, High above both, and Typical inside the band. Without a
 * band, the own median decides. Compares whole pounds, as shown. Null: neither can be said.
 */
export function levelOf(price: Pence, band: PriceBand | null, ownMedian: Pence | null): PriceLevel | null {
  if (band === null) return ownMedian === null ? null : ownMedianLevel(price, ownMedian);
  const shown = inWholePounds(price);
  if (shown >= band.low && shown <= band.high) return 'typical';
  if (ownMedian === null) return null;
  if (shown < band.low) return shown < inWholePounds(ownMedian) ? 'low' : null;
  return shown > inWholePounds(ownMedian) ? 'high' : null;
}

/** The verdict by the package's own median alone: at least 10% from it is Low or High. */
export function ownMedianLevel(price: Pence, ownMedian: Pence): PriceLevel {
  if (price * 100 <= ownMedian * (100 - OWN_PERCENT)) return 'low';
  return price * 100 >= ownMedian * (100 + OWN_PERCENT) ? 'high' : 'typical';
}

function inWholePounds(pence: Pence): Pence {
  return Math.floor((pence + 50) / 100) * 100;
}
