import type { DailyPrice } from '../../domain/daily-prices.ts';
import type { LowestPrice } from '../../domain/lowest-price.ts';
import { middleHalf } from '../../domain/median.ts';
import type { Pence } from '../../domain/money.ts';
import { MIN_HOTELS, MIN_PRICES } from '../../domain/price-verdict.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import { totalPrice } from '../inventory/offer-charges.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { comparedWith } from './compared-with.ts';
import { packageJudge } from './judged-package.ts';

/** The number of days in a plot. */
export const PLOT_DAYS = 90;

/** One package's daily prices. Money is in pence, days count from 1970-01-01. */
export interface PriceHistory {
  itemKey: string;
  price: Pence;
  /** When the store last saw this price, in minutes since the epoch. */
  seenAt: number;
  /** The last day of the plot. Its first is `PLOT_DAYS` - 1 days earlier. */
  today: number;
  /** The days on which a price was seen. */
  daily: readonly DailyPrice[];
  lowest30: LowestPrice | null;
  /** Null if a verdict would need more comparable packages. */
  similar: SimilarPrices | null;
  /** The verdict's range; null if there is no verdict. */
  typical: { low: Pence; high: Pence } | null;
  /** True if part of the history is generated for the sample market. */
  sample: boolean;
}

interface SimilarPrices {
  low: Pence;
  median: Pence;
  high: Pence;
  prices: number;
  hotels: number;
  comparedWith: string;
}

/** The history of a package on sale; null for other keys. Reads only. */
export async function priceHistory(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  neighbours: AirportNeighbours,
  staleAfterDays: number,
  itemKey: string,
  nowMs: number,
): Promise<PriceHistory | null> {
  const judged = await (await packageJudge(database, catalogue, neighbours, staleAfterDays, nowMs))(itemKey);
  if (judged === null) return null;
  const { offer, today, daily, sample, lowest30, comparables, verdict } = judged;
  const { prices, hotels } = comparables;
  const middle = prices.length < MIN_PRICES || hotels < MIN_HOTELS ? null : middleHalf(prices);
  return {
    itemKey,
    price: totalPrice(offer),
    seenAt: offer[OFFER.seenAt],
    today,
    daily: daily.filter(({ day }) => day > today - PLOT_DAYS),
    lowest30,
    typical: verdict.kind === 'verdict' ? { low: verdict.typicalLow, high: verdict.typicalHigh } : null,
    similar: middle && {
      ...middle,
      prices: prices.length,
      hotels,
      comparedWith: comparedWith(offer, comparables, catalogue),
    },
    sample,
  };
}
