import type { OfferRow } from '../../inventory/inventory.ts';
import type { PriceChangeListener } from '../../inventory/price-changes.ts';
import type { OfferTable } from '../../inventory/tables/offer-table.ts';
import {
  putReferenceRecords,
  type ReferenceRecords,
  renewReferenceVersion,
} from '../../inventory/tables/reference-tables.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { batchesOf } from './batches-of.ts';
import type { Staging } from './staging.ts';

const BATCH = 5_000;

export interface FeedStore {
  database: SqlDatabase;
  offers: OfferTable;
  listeners: readonly PriceChangeListener[];
}

export interface Application {
  staging: Staging;
  reference: ReferenceRecords;
  /** Packages that depart before this day go, whoever sells them. */
  firstDay: number;
  /** Asked first: throws where the store is not as it was when the difference was found. */
  check: () => void;
  /** Told how many packages are written. */
  onWritten: (packages: number) => void;
  /** Writes what is to stand with the packages. */
  finish: () => void;
}

/**
 * Writes the difference: all of it or nothing. Dictionaries, packages, prices' history, watches' alerts and
 * the note of the import stand in one transaction.
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
    if (changes.length > 0) for (const tell of listeners) tell(changes);
  }

  inTransaction(database, () => {
    check();
    putReferenceRecords(database, reference);
    renewReferenceVersion(database);
    database.prepare('delete from offer where departure_day < ?').run(firstDay);
    for (const keys of batchesOf(staging.removals(), BATCH)) {
      offers.remove(keys);
      written += keys.length;
      onWritten(written);
    }
    for (const rows of batchesOf(staging.changes(), BATCH)) {
      write(rows);
      written += rows.length;
      onWritten(written);
    }
    finish();
  });
}
