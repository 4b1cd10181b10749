import type { SqlSession } from '../../storage/sql-database.ts';
import type { OfferRow } from '../inventory.ts';
import { KEY_COLUMNS } from '../offer-columns.ts';
import {
  endedRunsSql,
  insertSql,
  OLD_OFFERS_OF_REPRICED,
  REMOVE_STAGED,
  runsOfStagedSql,
  STAGED_COLUMNS,
  updateSql,
} from './offer-sets.ts';
import type { OfferTable, OfferTableOptions } from './offer-table.ts';

/** The import number of rows that are staged and written in one transaction, so that no other transaction sees them. */
const WITHIN_TRANSACTION = 0;

/** Offers in PostgreSQL. A batch is staged with COPY, then compared and written as a whole. */
export function postgresOfferTable(tx: SqlSession, { runs }: OfferTableOptions): OfferTable {
  const run = (sql: string) => tx.prepare(sql);
  const before = runs === null ? [] : [run(endedRunsSql(runs))];
  const repriced = run(OLD_OFFERS_OF_REPRICED);
  const writing = [updateSql(runs), insertSql(runs)].map(run);
  const removing = [...(runs === null ? [] : [runsOfStagedSql(runs)]), REMOVE_STAGED].map(run);
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
      if (old.size === 0) return [];
      return [...unique].flatMap(([key, offer]) => {
        const was = old.get(key);
        return was === undefined ? [] : [{ old: was, new: offer }];
      });
    },
    async remove(keys) {
      if (keys.length === 0) return;
      const staged = keys.map((key) => [...key, WITHIN_TRANSACTION]);
      await tx.addRows('offer_staged', [...KEY_COLUMNS, 'import'], staged);
      for (const statement of removing) await statement.run(WITHIN_TRANSACTION);
      await clear.run(WITHIN_TRANSACTION);
    },
  };
}

/** An offer's key as text. If an offer is in a batch twice, the later row counts. */
function keyOf(offer: OfferRow): string {
  return offer.slice(0, KEY_COLUMNS.length).join();
}
