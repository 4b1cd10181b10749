import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { OfferTable, OfferTableOptions } from './offer-table.ts';
import { postgresOfferTable } from './postgres-offer-table.ts';
import { sqliteOfferTable } from './sqlite-offer-table.ts';

/** The offers of an open store, on whichever engine. */
export function offerTable(database: SqlDatabase, options: OfferTableOptions): OfferTable {
  return database.engine === 'sqlite'
    ? sqliteOfferTable(database, options)
    : postgresOfferTable(database, options);
}
