import type { OfferRow } from '../inventory.ts';
import type { KEY_COLUMNS, OfferKey } from '../offer-columns.ts';
import type { PriceChange } from '../price-changes.ts';

/** Writes offers. Each engine has its own way of writing many at once and of finding the prices that changed. */
export interface OfferTable {
  /**
   * Writes offers, sorted by key, inside the caller's transaction, and returns the price changes. Unchanged rows are
   * not written; only their `seen_at` is, when half a day has passed or another day has begun.
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
 * The table that records the ended runs of offers: these columns of the offer, `seen_at`, `price`, `after_gap` and
 * `last_seen_at`. It gets a row when an offer's price changes, when it is seen again after days on which it was not, and
 * when it is removed.
 */
export interface PriceRunTable {
  table: string;
  keyColumns: readonly (typeof KEY_COLUMNS)[number][];
}

export interface OfferTableOptions {
  /** Null: runs are not recorded. */
  runs: PriceRunTable | null;
}
