import { addNote, readNote } from './notes.ts';
import type { SqlDatabase } from './sql-database.ts';

/** The command that prints a new key. */
export const MAKE_KEY = `node -p "crypto.randomBytes(32).toString('hex')"`;

/** Servers that share a PostgreSQL need the same key, so none is generated. */
export function keyMissing(variable: string): Error {
  return new Error(
    `${variable} is not set, and every server of one DATABASE_URL needs the same: set it to what \`${MAKE_KEY}\` prints, once, and keep a copy`,
  );
}

/** The fingerprint of the key that a store is used with, by the name of its note; null if there is none yet. */
export function keyFingerprint(database: SqlDatabase, note: string): string | null {
  return readNote(database, note);
}

/** Whether a key is the store's. The first key that is used becomes it; only its fingerprint is stored. */
export function isKeyOfStore(database: SqlDatabase, note: string, fingerprint: string): boolean {
  if (keyFingerprint(database, note) === null) addNote(database, note, fingerprint);
  return keyFingerprint(database, note) === fingerprint;
}
