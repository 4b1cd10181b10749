import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../storage/in-transaction.ts';
import { REFERENCE_VERSION, writeReferenceTables } from '../../storage/reference-tables.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { inventoryKind, writeNote } from './store-notes.ts';

/** Tables with the sample's packages and everything derived from them; the dictionaries are cleared apart. */
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
 * Removes the sample inventory in one transaction, so that feeds can be imported. Returns false if the store has none.
 * People, consents and watches are kept.
 */
export function clearSample(database: SqlDatabase): boolean {
  return inTransaction(database, () => {
    if (inventoryKind(database) !== 'sample') return false;
    for (const table of TABLES) database.exec(`delete from ${table}`);
    writeReferenceTables(database, NO_REFERENCE);
    database.prepare('delete from note where name like ?').run('sample.%');
    writeNote(database, REFERENCE_VERSION, randomUUID());
    return true;
  });
}
