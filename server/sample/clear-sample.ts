import { inventoryKind } from '../feed/write/store-notes.ts';
import type { ReferenceData } from '../inventory/inventory.ts';
import {
  DICTIONARIES,
  renewReferenceVersion,
  writeReferenceTables,
} from '../inventory/tables/reference-tables.ts';
import { removeAllOffers } from '../inventory/tables/remove-offers.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { removeNotes } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** Tables derived from the sample's packages; packages and dictionaries are cleared separately. */
const TABLES = [
  'stay',
  'price_observation',
  'price_path',
  'price_model',
  'site_visit',
  'alert_fallen_price',
  'alert_gone_price',
];

const NO_RECORDS = Object.fromEntries(
  DICTIONARIES.map((dictionary) => [dictionary, []]),
) as unknown as ReferenceData;

/**
 * Removes the sample inventory in one transaction, so that feeds can be imported. Returns false if there
 * is no sample. Keeps people, consents and watches.
 */
export function clearSample(database: SqlDatabase): boolean {
  return inTransaction(
    database,
    () => {
      if (inventoryKind(database) !== 'sample') return false;
      database.lock('alerts');
      removeAllOffers(database);
      for (const table of TABLES) database.exec(`delete from ${table}`);
      writeReferenceTables(database, NO_RECORDS);
      removeNotes(database, 'sample.');
      renewReferenceVersion(database);
      return true;
    },
    'price blocks',
  );
}
