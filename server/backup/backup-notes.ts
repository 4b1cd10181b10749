import { readNote, removeNote, writeNote } from '../storage/notes.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const GOOD = 'backup.good';
const FAILED = 'backup.failed';

/** What the store knows about its backups. */
export interface BackupState {
  /** When the last good backup was written, in ms since 1970; null: never. */
  goodAt: number | null;
  /** Why the latest backup or its test failed; null if both succeeded. */
  failure: string | null;
}

export async function readBackupState(database: Pick<SqlDatabase, 'sql'>): Promise<BackupState> {
  const good = await readNote(database, GOOD);
  return { goodAt: good === null ? null : Date.parse(good), failure: await readNote(database, FAILED) };
}

/** Records the outcome of a backup for metrics and notices. Does nothing if there is no store or it cannot be written. */
export async function noteBackup(store: StoreAddress, failure: string | null, now: number): Promise<void> {
  try {
    await using database = await openDatabase(store, { isExisting: true });
    if (failure === null) {
      await removeNote(database, FAILED);
      await writeNote(database, GOOD, new Date(now).toISOString());
    } else await writeNote(database, FAILED, failure);
  } catch {}
}
