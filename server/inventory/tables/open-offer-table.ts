import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { OfferTable, OfferTableOptions } from './offer-table.ts';
import { postgresOfferTable } from './postgres-offer-table.ts';
import { priceBlockTable } from './price-block-table.ts';
import { sqliteOfferTable } from './sqlite-offer-table.ts';

/** The offers of an open store with their price blocks, on whichever engine. */
export function offerTable(database: SqlDatabase, options: OfferTableOptions): OfferTable {
  const offers =
    database.engine === 'sqlite'
      ? sqliteOfferTable(database, options)
      : postgresOfferTable(database, options);
  const blocks = priceBlockTable(database);
  return {
    write(rows) {
      const changes = offers.write(rows);
      blocks.update(rows);
      return changes;
    },
    remove(keys) {
      offers.remove(keys);
      blocks.update(keys);
    },
  };
}
