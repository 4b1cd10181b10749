import { existsSync } from 'node:fs';
import { readNote, removeNote, writeNote } from '../storage/notes.ts';
import { databasePath, openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { EmbeddedAddress } from '../storage/store-address.ts';

const GOOD = 'backup.good';
const FAILED = 'backup.failed';

/** What the store knows of its backups. */
export interface BackupState {
  /** When the last good backup was written, in ms since 1970; null: never. */
  goodAt: number | null;
  /** Why the latest backup or its test failed; null if it did not. */
  failure: string | null;
}

export function readBackupState(database: Pick<SqlDatabase, 'sql'>): BackupState {
  const good = readNote(database, GOOD);
  return { goodAt: good === null ? null : Date.parse(good), failure: readNote(database, FAILED) };
}

/** Records the outcome of a backup for metrics and notices. Does nothing if the store cannot be written. */
export function noteBackup(store: EmbeddedAddress, failure: string | null, now: number): void {
  if (!existsSync(databasePath(store.dataDir))) return;
  try {
    const database = openDatabase(store);
    try {
      if (failure === null) {
        removeNote(database, FAILED);
        writeNote(database, GOOD, new Date(now).toISOString());
      } else writeNote(database, FAILED, failure);
    } finally {
      database.close();
    }
  } catch {}
}
