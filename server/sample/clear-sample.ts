import { inventoryKind } from '../feed/write/store-notes.ts';
import type { ReferenceData } from '../inventory/inventory.ts';
import {
  DICTIONARIES,
  renewReferenceVersion,
  writeReferenceTables,
} from '../inventory/tables/reference-tables.ts';
import { removeAllOffers } from '../inventory/tables/remove-offers.ts';
import { removeNotes } from '../storage/notes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** Tables derived from the sample's packages; packages and dictionaries are cleared separately. */
const TABLES = [
  'stay',
  'price_observation',
  'price_path',
  'price_model',
  'price_record',
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
export async function clearSample(database: SqlDatabase): Promise<boolean> {
  return database.write('price blocks', async (tx) => {
    if ((await inventoryKind(tx)) !== 'sample') return false;
    await tx.lock('alerts');
    await removeAllOffers(tx);
    for (const table of TABLES) await tx.exec(`delete from ${table}`);
    await writeReferenceTables(tx, NO_RECORDS);
    await removeNotes(tx, 'sample.');
    await removeNotes(tx, 'price_record.');
    await renewReferenceVersion(tx);
    return true;
  });
}
