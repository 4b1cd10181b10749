import type { OfferRow } from '../inventory.ts';
import type { KEY_COLUMNS, OfferKey } from '../offer-columns.ts';
import type { PriceChange } from '../price-changes.ts';

/** Writes offers. Each engine has its own way to write many rows and to find price changes. */
export interface OfferTable {
  /**
   * Writes offers, sorted by key, in the caller's transaction, and returns the price changes. In an unchanged
   * row, rewrites only `seen_at`, after half a day or on a new day.
   */
  write(offers: readonly OfferRow[]): Promise<PriceChange[]>;
  /** Removes the offers with these keys, in the caller's transaction. */
  remove(keys: readonly OfferKey[]): Promise<void>;
}

export interface BlockedOfferTable extends OfferTable {
  /** Updates the price blocks. Call it after a transaction's last write or removal. */
  writeBlocks(): Promise<void>;
}

/**
 * The table for runs that have ended. Its columns are `keyColumns` of the offer, `seen_at`, `price`, `after_gap` and
 * `last_seen_at`. An offer gets a row when its price changes, when it returns after missing days, and when it
 * is removed.
 */
export interface PriceRunTable {
  table: string;
  keyColumns: readonly (typeof KEY_COLUMNS)[number][];
}

export interface OfferTableOptions {
  /** Null: do not record runs. */
  runs: PriceRunTable | null;
}
