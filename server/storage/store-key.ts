import { addNote, readNote } from './notes.ts';
import type { SqlDatabase } from './sql-database.ts';

/** The command that prints a new key. */
export const MAKE_KEY = `node -p "crypto.randomBytes(32).toString('hex')"`;

/** Servers that share a PostgreSQL must be given the same key: each of them would generate another one. */
export function keyMissing(variable: string): Error {
  return new Error(
    `${variable} is not set, and every server of one DATABASE_URL needs the same: set it to what \`${MAKE_KEY}\` prints, once, and keep a copy`,
  );
}

/** The fingerprint of the key that a store is used with, by the name of its note; null if there is none yet. */
export function keyFingerprint(database: SqlDatabase, note: string): string | null {
  return readNote(database, note);
}

/**
 * Ensures that a store is used with one key only: the first server stores the key's fingerprint, a keyed hash that
 * does not reveal the key. False if the store is used with another key.
 */
export function isKeyOfStore(database: SqlDatabase, note: string, fingerprint: string): boolean {
  if (keyFingerprint(database, note) === null) addNote(database, note, fingerprint);
  return keyFingerprint(database, note) === fingerprint;
}
