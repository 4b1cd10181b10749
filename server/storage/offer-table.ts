import type { OfferRow } from '../inventory/inventory.ts';
import type { OfferKey } from '../inventory/offer-columns.ts';
import type { PriceChange } from '../inventory/price-changes.ts';
import { postgresOfferTable } from './postgres/offer-table.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sqliteOfferTable } from './sqlite/offer-table.ts';

/** Writes offers; each engine has its own way of writing many at once and of saying which prices changed. */
export interface OfferTable {
  /**
   * Writes offers, sorted by key, inside the caller's transaction, and gives the price changes that this was. Rows
   * that change nothing are left alone; an offer seen again unchanged has only that noted, twice a day at most.
   */
  write(offers: readonly OfferRow[]): PriceChange[];
  /** Removes the offers with these keys, inside the caller's transaction. */
  remove(keys: readonly OfferKey[]): void;
}

export interface OfferTableOptions {
  /** Each new offer's price is written down as an observation: how long it has stood is known only from then. */
  firstSightings: boolean;
}

export function offerTable(database: SqlDatabase, options: OfferTableOptions): OfferTable {
  return database.engine === 'sqlite'
    ? sqliteOfferTable(database, options)
    : postgresOfferTable(database, options);
}
