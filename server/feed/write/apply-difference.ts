import { priceListeners } from '../../ingest/price-listeners.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import type { InventoryListener } from '../../inventory/price-changes.ts';
import type { BlockedOfferTable } from '../../inventory/tables/offer-table.ts';
import { offerTable } from '../../inventory/tables/open-offer-table.ts';
import {
  putReferenceRecords,
  type ReferenceRecords,
  renewReferenceVersion,
} from '../../inventory/tables/reference-tables.ts';
import { removeOffersBefore } from '../../inventory/tables/remove-offers.ts';
import { SIGHTINGS } from '../../price-history/price-observer.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { type OpenOptions, openDatabase } from '../../storage/open/database.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import type { Staging } from './staging.ts';

const BATCH = 5_000;

/** The store's page cache during an import: a smaller one reads and writes the same pages repeatedly. */
const CACHE_KIB = 49_152;

export interface FeedStore {
  database: SqlDatabase;
  offers: BlockedOfferTable;
  listeners: readonly InventoryListener[];
}

/** Opens the store for an import. Price history and alerts are written together with the packages. */
export function openFeedStore(store: StoreAddress, options: OpenOptions): FeedStore {
  const database = openDatabase(store, options);
  if (database.engine === 'sqlite') database.exec(`pragma cache_size = -${CACHE_KIB}`);
  const offers = offerTable(database, { sightings: SIGHTINGS });
  return { database, offers, listeners: priceListeners(database) };
}

export interface Application {
  staging: Staging;
  reference: ReferenceRecords;
  /** Packages of every provider that depart before this day are removed. */
  firstDay: number;
  /** Called first; throws if the store has changed since the comparison. */
  check: () => void;
  /** Called with the number of packages written so far. */
  onWritten: (packages: number) => void;
  /** Writes the notes that belong to the import. */
  finish: () => void;
}

/**
 * Writes the difference in one transaction: dictionaries, packages, price history, alerts and the note of the import.
 */
export function applyDifference({ database, offers, listeners }: FeedStore, application: Application): void {
  const { staging, reference, firstDay, check, onWritten, finish } = application;
  const stay = database.prepare('insert into stay (nights) values (?) on conflict do nothing');
  const stays = new Set<number>();
  let written = 0;

  function write(rows: readonly OfferRow[]): void {
    for (const [, nights] of rows) {
      if (stays.has(nights)) continue;
      stays.add(nights);
      stay.run(nights);
    }
    const changes = offers.write(rows);
    for (const listener of listeners) listener.written(rows, changes);
  }

  inTransaction(database, () => {
    check();
    putReferenceRecords(database, reference);
    renewReferenceVersion(database);
    removeOffersBefore(database, firstDay);
    for (const keys of batchesOf(staging.removals(), BATCH)) {
      for (const listener of listeners) listener.removing?.(keys);
      offers.remove(keys);
      written += keys.length;
      onWritten(written);
    }
    for (const rows of batchesOf(staging.changes(), BATCH)) {
      write(rows);
      written += rows.length;
      onWritten(written);
    }
    offers.writeBlocks();
    finish();
  });
}

/** Groups items into arrays of at most `most`. */
export function* batchesOf<T>(items: Iterable<T>, most: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < most) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
