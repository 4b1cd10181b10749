import type { SqlTransaction } from '../../storage/sql-database.ts';
import type { BlockedOfferTable, OfferTableOptions } from './offer-table.ts';
import { postgresOfferTable } from './postgres-offer-table.ts';
import { priceBlockTable } from './price-block-table.ts';
import { renewOffersVersion } from './reference-tables.ts';
import { sqliteOfferTable } from './sqlite-offer-table.ts';

/** The offers of an open store and their price blocks, with either engine. */
export async function offerTable(tx: SqlTransaction, options: OfferTableOptions): Promise<BlockedOfferTable> {
  const offers =
    tx.engine === 'sqlite' ? await sqliteOfferTable(tx, options) : postgresOfferTable(tx, options);
  const blocks = await priceBlockTable(tx);
  return {
    async write(rows) {
      const changes = await offers.write(rows);
      await blocks.note(rows);
      return changes;
    },
    async remove(keys) {
      await offers.remove(keys);
      await blocks.note(keys);
    },
    async writeBlocks() {
      await blocks.write();
      await renewOffersVersion(tx);
    },
  };
}
