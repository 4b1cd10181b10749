import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { BlockedOfferTable, OfferTableOptions } from './offer-table.ts';
import { postgresOfferTable } from './postgres-offer-table.ts';
import { priceBlockTable } from './price-block-table.ts';
import { renewOffersVersion } from './reference-tables.ts';
import { sqliteOfferTable } from './sqlite-offer-table.ts';

/** The offers of an open store and their price blocks, with either engine. */
export async function offerTable(
  database: SqlDatabase,
  options: OfferTableOptions,
): Promise<BlockedOfferTable> {
  const offers =
    database.engine === 'sqlite'
      ? await sqliteOfferTable(database, options)
      : postgresOfferTable(database, options);
  const blocks = await priceBlockTable(database);
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
      await renewOffersVersion(database);
    },
  };
}
