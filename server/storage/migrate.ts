import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/**
 * Brings a store's schema up to this version of Skylark: the SQL files of `migrations/` in the order of their
 * names, all that are missing in one transaction. Throws where the store was written by a newer version.
 */
export function migrate(database: DatabaseSync): void {
  const files = migrationFiles();
  if (schemaVersion(database) === files.length) return;
  database.exec('begin immediate');
  try {
    // Asked again inside the transaction: another process may just have done the work.
    const version = schemaVersion(database);
    if (version > files.length) {
      throw new Error(
        `The store has schema version ${version}, and this Skylark knows up to ${files.length}: start the newer Skylark that wrote it, or name another folder in DATA_DIR.`,
      );
    }
    for (const file of files.slice(version)) database.exec(readFileSync(join(MIGRATIONS, file), 'utf8'));
    database.exec(`pragma user_version = ${files.length}`);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** The schema's version in a store, 0 where there is none. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('pragma user_version').get()?.user_version);
}

/** The newest schema that this version of Skylark knows. */
export function knownSchemaVersion(): number {
  return migrationFiles().length;
}

function migrationFiles(): string[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
}
