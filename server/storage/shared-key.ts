import type { SqlDatabase } from './sql-database.ts';

/** A key that every server of a store needs alike, by the variable that gives it. */
export type KeyVariable = 'ALERTS_KEY' | 'TOKEN_KEY';

/** The command that prints a new key. */
export const MAKE_KEY = `node -p "crypto.randomBytes(32).toString('hex')"`;

/** Servers that share a PostgreSQL are given their keys: one made by each of them would be another one. */
export function keyMissing(variable: KeyVariable): Error {
  return new Error(
    `${variable} is not set, and every server of one DATABASE_URL needs the same: set it to what \`${MAKE_KEY}\` prints, once, and keep a copy`,
  );
}

/** The fingerprint that the first server of a store has left; undefined where none has been there. */
export function keyFingerprint({ sql }: SqlDatabase, note: string): unknown {
  return sql.get`select value from note where name = ${note}`?.value;
}

/**
 * Sees to it that a store is used with one key alone: the first to come leaves its fingerprint, a keyed hash that
 * tells nothing of the key. False where the store was used with another.
 */
export function isKeyOfStore(database: SqlDatabase, note: string, fingerprint: string): boolean {
  if (keyFingerprint(database, note) === undefined) {
    database.sql
      .run`insert into note (name, value) values (${note}, ${fingerprint}) on conflict (name) do nothing`;
  }
  return keyFingerprint(database, note) === fingerprint;
}
