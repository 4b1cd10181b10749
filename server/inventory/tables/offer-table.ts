import type { OfferRow } from '../inventory.ts';
import type { KEY_COLUMNS, OfferKey } from '../offer-columns.ts';
import type { PriceChange } from '../price-changes.ts';

/** Writes offers. Each engine has its own way of writing many at once and of finding the prices that changed. */
export interface OfferTable {
  /**
   * Writes offers, sorted by key, inside the caller's transaction, and returns the price changes. Unchanged rows are
   * not written; only their `seen_at` is, at most twice a day.
   */
  write(offers: readonly OfferRow[]): PriceChange[];
  /** Removes the offers with these keys, inside the caller's transaction. */
  remove(keys: readonly OfferKey[]): void;
}

/** Offers with their price blocks. */
export interface BlockedOfferTable extends OfferTable {
  /** Brings the price blocks up to date. Call it after the last write or removal of a transaction. */
  writeBlocks(): void;
}

/**
 * The table that records the price of every offer when it is first seen: these columns of the offer, `seen_at` and
 * `price`. An offer that the table already has stays as it is.
 */
export interface FirstSightingTable {
  table: string;
  keyColumns: readonly (typeof KEY_COLUMNS)[number][];
}

export interface OfferTableOptions {
  /** Null: first sightings are not recorded. */
  firstSightings: FirstSightingTable | null;
}
