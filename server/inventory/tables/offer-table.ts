import type { SqlSession, SqlTransaction } from '../../storage/sql-database.ts';
import type { OfferRow } from '../inventory.ts';
import { KEY_COLUMNS, type OfferKey } from '../offer-columns.ts';
import type { PriceChange } from '../price-changes.ts';
import {
  endedRunsSql,
  insertSql,
  OLD_OFFERS_OF_REPRICED,
  REMOVE_STAGED,
  REMOVE_STAGED_IN_SQLITE,
  runsOfStagedSql,
  STAGED_COLUMNS,
  STAGED_TABLES,
  updateSql,
} from './offer-sets.ts';
import { priceBlockTable } from './price-block-table.ts';
import type { PriceRunTable } from './price-runs.ts';
import { renewOffersVersion } from './reference-tables.ts';

/** Writes offers and their price blocks. */
export interface OfferTable {
  /**
   * Writes offers, sorted by key, in the caller's transaction, and returns the price changes. In an unchanged
   * row, rewrites only `seen_at`, after half a day or on a new day.
   */
  write(offers: readonly OfferRow[]): Promise<PriceChange[]>;
  /** Removes the offers with these keys, in the caller's transaction. */
  remove(keys: readonly OfferKey[]): Promise<void>;
  /** Updates the price blocks. Call it after a transaction's last write or removal. */
  writeBlocks(): Promise<void>;
}

/** The import number of rows that are staged and written in one transaction, so that no other transaction sees them. */
const WITHIN_TRANSACTION = 0;

/** The offers of an open store. A batch is staged, then compared and written as a whole. `runs`: null records none. */
export async function offerTable(
  tx: SqlTransaction,
  { runs }: { runs: PriceRunTable | null },
): Promise<OfferTable> {
  const isEmbedded = tx.engine === 'sqlite';
  if (isEmbedded) await tx.exec(STAGED_TABLES);
  const blocks = await priceBlockTable(tx);
  const run = (sql: string) => tx.prepare(sql);
  const before = runs === null ? [] : [run(endedRunsSql(runs))];
  const repriced = run(OLD_OFFERS_OF_REPRICED);
  const writing = [updateSql(runs), insertSql(runs)].map(run);
  const removing = [
    ...(runs === null ? [] : [runsOfStagedSql(runs)]),
    isEmbedded ? REMOVE_STAGED_IN_SQLITE : REMOVE_STAGED,
  ].map(run);
  const clear = run('delete from offer_staged where import = ?');

  return {
    async write(offers) {
      const unique = new Map(offers.map((offer) => [keyOf(offer), offer]));
      const staged = Array.from(unique.values(), (offer) => [...offer, WITHIN_TRANSACTION]);
      await tx.addRows('offer_staged', STAGED_COLUMNS, staged);
      for (const statement of before) await statement.run(WITHIN_TRANSACTION);
      const old = new Map(
        ((await repriced.rows(WITHIN_TRANSACTION)) as unknown as OfferRow[]).map((offer) => [
          keyOf(offer),
          offer,
        ]),
      );
      for (const statement of writing) await statement.run(WITHIN_TRANSACTION);
      await clear.run(WITHIN_TRANSACTION);
      await blocks.note(offers);
      if (old.size === 0) return [];
      return [...unique].flatMap(([key, offer]) => {
        const was = old.get(key);
        return was === undefined ? [] : [{ old: was, new: offer }];
      });
    },
    async remove(keys) {
      if (keys.length === 0) return;
      await stageKeys(tx, keys);
      for (const statement of removing) await statement.run(WITHIN_TRANSACTION);
      await clear.run(WITHIN_TRANSACTION);
      await blocks.note(keys);
    },
    async writeBlocks() {
      await blocks.write();
      await renewOffersVersion(tx);
    },
  };
}

function stageKeys(tx: SqlSession, keys: readonly OfferKey[]): Promise<void> {
  const staged = keys.map((key) => [...key, WITHIN_TRANSACTION]);
  return tx.addRows('offer_staged', [...KEY_COLUMNS, 'import'], staged);
}

/** An offer's key as text. If an offer is in a batch twice, the later row counts. */
function keyOf(offer: OfferRow): string {
  return offer.slice(0, KEY_COLUMNS.length).join();
}
