import type { BlockKey } from '../../inventory/block-key.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER } from '../../inventory/offer-columns.ts';
import type { BlockBytes } from '../../inventory/price-block.ts';
import type { BlockDay, BlockOffer } from '../../inventory/tables/block-day-source.ts';
import type { CachedCatalogue } from '../../inventory/tables/cached-catalogue.ts';
import type { RowReader } from '../../storage/sql-database.ts';
import type { OfferFilters, PackageQuery } from './package-repository.ts';
import { MAX_DAYS_OF_OFFERS } from './search-cost.ts';
import type { TieOrder } from './tie-order.ts';

/** The days and lengths of stay of a query. If `stays` is null, every length of stay. */
export interface Departures {
  days: readonly number[];
  stays: readonly number[] | null;
}

/** A hotel's best rank under a query's sort, and its first day with that rank. */
export interface Best {
  hotel: number;
  rank: number;
  day: number;
}

/** Whether to answer from the price blocks. For a few days, reading offers is faster. */
export function isLongWindow({ firstDay, lastDay }: OfferFilters): boolean {
  return lastDay - firstDay + 1 > MAX_DAYS_OF_OFFERS;
}

/** The columns of an offer's key that identify a hotel's packages of one day, stay, party and airport. */
export const SLICE_COLUMNS = KEY_COLUMNS.slice(0, OFFER.hotel + 1);

export type OfferSlice = readonly number[];

/** What a search reads from a store, for one query. Each engine implements it. */
export interface SearchEngine extends RowReader {
  departures(query: OfferFilters): Promise<Departures>;
  bestPerHotel(query: PackageQuery, departures: Departures): Promise<Best[]>;
  /** The offers of these days of price blocks, in day order. */
  offersOfDays(days: readonly BlockDay[]): Promise<BlockOffer[][]>;
  /** The offers of each slice in key order, in the order of the slices. */
  offersOfSlices(slices: readonly OfferSlice[]): Promise<OfferRow[][]>;
  /** The bytes of each price block, in the order of `blocks`. Null: no such block. */
  cellsOf(blocks: readonly BlockKey[]): Promise<(BlockBytes | null)[]>;
  /** Calls `visit` with each item, yielding to other work on a shared thread. */
  each<T>(items: Iterable<T>, visit: (item: T) => void): Promise<void>;
  /** SQL for comparing a text by its UTF-8 bytes, whatever the store's collation. */
  inByteOrder(expression: string): string;
}

/** What all queries of a snapshot share. */
export interface Snapshot {
  catalogue: CachedCatalogue;
  ties: TieOrder;
  /** Reads records, whose statements do not count: they depend on what is cached. */
  reader: RowReader;
}
