import { DatabaseSync } from 'node:sqlite';
import { errorMessage } from '../lib/error-message.ts';
import { SCHEMA_VERSION, schemaVersion } from '../storage/migrate.ts';
import { sqliteDatabase } from '../storage/sqlite/database.ts';

type StoreFileCheck =
  | { kind: 'whole'; offers: number; version: number }
  /** The reason, as the end of a sentence. */
  | { kind: 'refused'; message: string };

/** Checks that a file is an undamaged Skylark store of a known version. Reads the whole file. */
export async function checkStoreFile(file: string): Promise<StoreFileCheck> {
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    const version = await schemaVersion(sqliteDatabase(database));
    if (version === 0) return refused('it is not a Skylark store');
    if (version > SCHEMA_VERSION) {
      return refused(
        `it was written by a newer Skylark (schema ${version}; this one knows ${SCHEMA_VERSION})`,
      );
    }
    // `quick_check` would take three quarters of the time, but does not compare indexes with tables.
    const fault = database.prepare('pragma integrity_check(1)').get()?.integrity_check;
    if (fault !== 'ok') return refused(`it is damaged: ${String(fault)}`);
    const offers = Number(database.prepare('select count(*) as offers from offer').get()?.offers);
    return { kind: 'whole', offers, version };
  } catch (error) {
    return refused(errorMessage(error));
  }
}

function refused(message: string): StoreFileCheck {
  return { kind: 'refused', message };
}
