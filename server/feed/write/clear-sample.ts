import { renewReferenceVersion, writeReferenceTables } from '../../inventory/tables/reference-tables.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { removeNotes } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { inventoryKind } from './store-notes.ts';

/** What the sample fills besides the dictionaries: its packages, their past, and what was learned from them. */
const TABLES = [
  'offer',
  'stay',
  'price_observation',
  'price_path',
  'price_index',
  'price_model',
  'site_visit',
  'alert_fallen_price',
];

const NO_REFERENCE = {
  countries: [],
  regions: [],
  resorts: [],
  airports: [],
  providers: [],
  hotels: [],
  flights: [],
  boards: [],
  rooms: [],
  parties: [],
};

/**
 * Empties a store of the sample inventory, so that feeds can fill it; in one transaction. False where there is
 * none. People, consents and their watches stay.
 */
export function clearSample(database: SqlDatabase): boolean {
  return inTransaction(database, () => {
    if (inventoryKind(database) !== 'sample') return false;
    for (const table of TABLES) database.exec(`delete from ${table}`);
    writeReferenceTables(database, NO_REFERENCE);
    removeNotes(database, 'sample.');
    renewReferenceVersion(database);
    return true;
  });
}
