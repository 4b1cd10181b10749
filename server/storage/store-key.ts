import { addNote, readNote } from './notes.ts';
import type { SqlSession } from './sql-database.ts';

/** The command that prints a new key. */
export const MAKE_KEY = `node -p "crypto.randomBytes(32).toString('hex')"`;

/** The error for a missing key. Servers that share a PostgreSQL need the same one, so none is generated. */
export function keyMissing(variable: string): Error {
  return new Error(
    `${variable} is not set, and all servers that share a DATABASE_URL need the same one: run \`${MAKE_KEY}\` once, set it to the output, and keep a copy`,
  );
}

/** The fingerprint of a store's key, from the note with this name; null if there is none yet. */
export async function keyFingerprint(database: SqlSession, note: string): Promise<string | null> {
  return readNote(database, note);
}

/** Whether a key is the store's own: the first one used. The store keeps only its fingerprint. */
export async function isKeyOfStore(
  database: SqlSession,
  note: string,
  fingerprint: string,
): Promise<boolean> {
  if ((await keyFingerprint(database, note)) === null) await addNote(database, note, fingerprint);
  return (await keyFingerprint(database, note)) === fingerprint;
}
