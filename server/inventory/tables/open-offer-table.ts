import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { BlockedOfferTable, OfferTableOptions } from './offer-table.ts';
import { postgresOfferTable } from './postgres-offer-table.ts';
import { priceBlockTable } from './price-block-table.ts';
import { sqliteOfferTable } from './sqlite-offer-table.ts';

/** The offers of an open store and their price blocks, with either engine. */
export function offerTable(database: SqlDatabase, options: OfferTableOptions): BlockedOfferTable {
  const offers =
    database.engine === 'sqlite'
      ? sqliteOfferTable(database, options)
      : postgresOfferTable(database, options);
  const blocks = priceBlockTable(database);
  return {
    write(rows) {
      const changes = offers.write(rows);
      blocks.note(rows);
      return changes;
    },
    remove(keys) {
      offers.remove(keys);
      blocks.note(keys);
    },
    writeBlocks: blocks.write,
  };
}
