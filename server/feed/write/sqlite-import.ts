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
export async function sqliteImport(database: SqlDatabase, effects: PriceEffects): Promise<StoreImport> {
  const offers = await offerTable(database, { runs: PRICE_RUNS });
  return {
    records: null,
    compare: async ({ staging, lines, ...feed }) => findDifference(database, staging, { ...feed, ...lines }),
    apply: (feed) => applyDifference(database, offers, effects, feed),
    async close() {},
  };
}

async function applyDifference(
  database: SqlDatabase,
  offers: BlockedOfferTable,
  { listeners, beforeCommit, afterCommit }: PriceEffects,
  { staging, dictionaries, firstDay, version, check, onWritten, finish }: AppliedFeed,
): Promise<void> {
  const stay = database.prepare('insert into stay (nights) values (?) on conflict do nothing');
  const stays = new Set<number>();
  let written = 0;

  async function write(rows: readonly OfferRow[]): Promise<void> {
    for (const [, nights] of rows) {
      if (stays.has(nights)) continue;
      stays.add(nights);
      await stay.run(nights);
    }
    const changes = await offers.write(rows);
    for (const listener of listeners) await listener.written(rows, changes);
  }

  // Records the packages that the last import removed, so that those in this feed count as returning.
  await afterCommit();
  await inTransaction(database, async () => {
    await check();
    if ((await referenceState(database)) !== version) throw new FeedFault(STORE_CHANGED);
    await addReferenceRecords(database, dictionaries.additions());
    await updateReferenceRecords(database, dictionaries.updates());
    await renewReferenceVersion(database);
    await noteSameHotels(database);
    await removeOffersBefore(database, firstDay, PRICE_RUNS);
    for (const keys of batchesOf(staging.removals(), BATCH)) {
      for (const listener of listeners) await listener.removing?.(keys);
      await offers.remove(keys);
      written += keys.length;
      onWritten(written);
    }
    for (const rows of batchesOf(staging.changes(), BATCH)) {
      await write(rows);
      written += rows.length;
      onWritten(written);
    }
    await offers.writeBlocks();
    await finish();
    await beforeCommit();
  });
  await afterCommit();
}
