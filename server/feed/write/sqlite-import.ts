import type { PriceEffects } from '../../ingest/price-listeners.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { noteSameHotels } from '../../inventory/tables/note-same-hotels.ts';
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
  return {
    records: null,
    compare: async ({ staging, lines, ...feed }) => findDifference(database, staging, { ...feed, ...lines }),
    apply: (feed) => applyDifference(database, effects, feed),
    async close() {},
  };
}

async function applyDifference(
  database: SqlDatabase,
  { listeners, beforeCommit, afterCommit }: PriceEffects,
  { staging, dictionaries, firstDay, version, check, onWritten, finish }: AppliedFeed,
): Promise<void> {
  const stays = new Set<number>();
  let written = 0;

  // Records the packages that the last import removed, so that those in this feed count as returning.
  await afterCommit();
  await database.write('records', async (tx) => {
    const offers = await offerTable(tx, { runs: PRICE_RUNS });
    const write = async (rows: readonly OfferRow[]) => {
      for (const [, nights] of rows) {
        if (stays.has(nights)) continue;
        stays.add(nights);
        await tx.sql.run`insert into stay (nights) values (${nights}) on conflict do nothing`;
      }
      const changes = await offers.write(rows);
      for (const listener of listeners) await listener.written(tx, rows, changes);
    };
    await check(tx);
    if ((await referenceState(tx)) !== version) throw new FeedFault(STORE_CHANGED);
    await addReferenceRecords(tx, dictionaries.additions());
    await updateReferenceRecords(tx, dictionaries.updates());
    await renewReferenceVersion(tx);
    await noteSameHotels(tx);
    await removeOffersBefore(tx, firstDay, PRICE_RUNS);
    for (const keys of batchesOf(staging.removals(), BATCH)) {
      for (const listener of listeners) await listener.removing?.(tx, keys);
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
    await finish(tx);
    await beforeCommit(tx);
  });
  await afterCommit();
}
