import type { DailyPrice } from '../../domain/daily-prices.ts';
import { type LowestPrice, lowestOf } from '../../domain/lowest-price.ts';
import { middleHalf } from '../../domain/median.ts';
import type { Pence } from '../../domain/money.ts';
import { MIN_HOTELS, MIN_PRICES } from '../../domain/price-verdict.ts';
import type { AirportNeighbours } from '../inventory/airport-neighbours.ts';
import type { CodedCatalogue } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { parseItemKey } from '../inventory/item-key.ts';
import { IS_OFFER, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type AnalysisSettings, comparedWith, LOWEST_DAYS } from './analyse-prices.ts';
import { comparablesFinder } from './comparables.ts';
import { readPriceModels } from './model/model-table.ts';
import { packageHistoryReader } from './package-history.ts';
import { partyConversion } from './party-conversion.ts';

/** The days that a plot covers. */
export const PLOT_DAYS = 90;

/** The prices of one package, day by day. Money is in pence, days are days since 1970-01-01. */
export interface PriceHistory {
  itemKey: string;
  price: Pence;
  /** When the store last saw this price, in minutes since the epoch. */
  seenAt: number;
  /** The last day; the first is `PLOT_DAYS` - 1 days earlier. */
  today: number;
  /** Only days on which a price was seen. */
  daily: readonly DailyPrice[];
  lowest30: LowestPrice | null;
  /** Null if there are fewer comparable packages than a verdict needs. */
  similar: SimilarPrices | null;
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

/** The history of a package that is on sale; null for any other key. Reads only. */
export function priceHistory(
  database: SqlDatabase,
  catalogue: CodedCatalogue,
  neighbours: AirportNeighbours,
  { staleAfterDays, ...shared }: AnalysisSettings,
  itemKey: string,
  nowMs: number,
): PriceHistory | null {
  const now = Math.floor(nowMs / 60_000);
  const today = Math.floor(now / 1440);
  const key = parseItemKey(itemKey, catalogue);
  if (key === null) return null;
  database.requireDays([key[OFFER.departureDay]]);
  const find = database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer where ${IS_OFFER}`);
  const offer = find.row(...key) as unknown as OfferRow | undefined;
  if (offer === undefined || offer[OFFER.expiresAt] <= now) return null;
  const history = packageHistoryReader(database)(offer, today);
  const daily = history.daily.filter(({ day }) => day > today - PLOT_DAYS);
  const convert = partyConversion(readPriceModels(database), catalogue);
  const comparables = comparablesFinder(
    database,
    catalogue,
    neighbours,
    staleAfterDays,
    convert,
    undefined,
    shared,
  )(offer, now);
  const { prices, hotels } = comparables;
  const middle = prices.length < MIN_PRICES || hotels < MIN_HOTELS ? null : middleHalf(prices);
  return {
    itemKey,
    price: offer[OFFER.price],
    seenAt: offer[OFFER.seenAt],
    today,
    daily,
    lowest30: lowestOf(daily.filter(({ day }) => day > today - LOWEST_DAYS)),
    similar: middle && {
      ...middle,
      prices: prices.length,
      hotels,
      comparedWith: comparedWith(offer, comparables, catalogue),
    },
    sample: history.sample,
  };
}
