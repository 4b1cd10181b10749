import type { PriceEffects } from '../../ingest/price-listeners.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { noteSameHotels } from '../../inventory/tables/note-same-hotels.ts';
import type { BlockedOfferTable } from '../../inventory/tables/offer-table.ts';
import { offerTable } from '../../inventory/tables/open-offer-table.ts';
import {
  addReferenceRecords,
  referenceState,
  renewReferenceVersion,
  updateReferenceRecords,
} from '../../inventory/tables/reference-tables.ts';
import { removeOffersBefore } from '../../inventory/tables/remove-offers.ts';
import { batchesOf } from '../../lib/batches.ts';
import { PRICE_RUNS } from '../../price-history/history-table.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { findDifference } from './difference.ts';
import { type AppliedFeed, STORE_CHANGED, type StoreImport } from './store-import.ts';

const BATCH = 5_000;

/**
 * Imports into the embedded store: compares row by row, stages the changes, and writes them in one transaction
 * with everything that depends on them. The lease keeps others from adding records.
 */
export function sqliteImport(database: SqlDatabase, effects: PriceEffects): StoreImport {
  const offers = offerTable(database, { runs: PRICE_RUNS });
  return {
    records: null,
    compare: ({ staging, provider, lines, limits }) =>
      findDifference(database, staging, { provider, limits, ...lines }),
    apply: (feed) => applyDifference(database, offers, effects, feed),
    close() {},
  };
}

function applyDifference(
  database: SqlDatabase,
  offers: BlockedOfferTable,
  { listeners, beforeCommit, afterCommit }: PriceEffects,
  { staging, dictionaries, firstDay, version, check, onWritten, finish }: AppliedFeed,
): void {
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

  // Records the packages that the last import removed, so that those in this feed count as returning.
  afterCommit();
  inTransaction(database, () => {
    check();
    if (referenceState(database) !== version) throw new FeedFault(STORE_CHANGED);
    addReferenceRecords(database, dictionaries.additions());
    updateReferenceRecords(database, dictionaries.updates());
    renewReferenceVersion(database);
    noteSameHotels(database);
    removeOffersBefore(database, firstDay, PRICE_RUNS);
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
    beforeCommit();
  });
  afterCommit();
}
