import type { BlockKey } from '../inventory/block-key.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER } from '../inventory/offer-columns.ts';
import type { BlockBytes } from '../inventory/price-block.ts';
import type { BlockDay, BlockOffer } from '../inventory/tables/block-day-source.ts';
import type { RowReader } from '../storage/sql-database.ts';
import type { OfferFilters, PackageQuery } from './package-repository.ts';
import { MOST_DAYS_OF_OFFERS } from './search-cost.ts';

/** The days and lengths of stay that a query covers; null: every length of stay in the store. */
export interface Departures {
  days: readonly number[];
  stays: readonly number[] | null;
}

/** A hotel's best rank under a query's sort, and the first day on which it has that rank. */
export interface Best {
  hotel: number;
  rank: number;
  day: number;
}

/** Whether a query is answered from the price blocks. Of a few days it takes less to read the offers. */
export function isLongWindow({ firstDay, lastDay }: OfferFilters): boolean {
  return lastDay - firstDay + 1 > MOST_DAYS_OF_OFFERS;
}

/** The columns of an offer's key that identify a hotel's packages of one day, stay, party and airport. */
export const SLICE_COLUMNS = KEY_COLUMNS.slice(0, OFFER.hotel + 1);

/** The values of these columns. */
export type OfferSlice = readonly number[];

/** What a search needs of a store, for one query. Each storage engine has one. */
export interface SearchEngine extends RowReader {
  departures(query: OfferFilters): Promise<Departures>;
  bestPerHotel(query: PackageQuery, departures: Departures): Promise<Best[]>;
  /** What the offers of each of these days of price blocks are, in the order of the days. */
  offersOfDays(days: readonly BlockDay[]): Promise<BlockOffer[][]>;
  /** The offers of each slice by key, in the order of the slices. */
  offersOfSlices(slices: readonly OfferSlice[]): Promise<OfferRow[][]>;
  /** The bytes of each price block, in the order of the keys. Null: there is no such block. */
  cellsOf(blocks: readonly BlockKey[]): Promise<(BlockBytes | null)[]>;
  /** Calls `visit` with each item. On a thread that others need too, they have turns in between. */
  each<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void>;
  /** A text that is compared by its bytes in UTF-8, whatever the store's language is. */
  inByteOrder(expression: string): string;
  /** How many statements it has run. */
  readonly statements: number;
}

/** A reader that counts its statements. */
export function countingReader({
  rows,
  anyOf,
  anyOfRows,
}: RowReader): RowReader & { readonly statements: number } {
  let statements = 0;
  return {
    anyOf,
    anyOfRows,
    rows(sql, values) {
      statements += 1;
      return rows(sql, values);
    },
    get statements() {
      return statements;
    },
  };
}
