import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTransaction } from './in-transaction.ts';
import type { SqlDatabase } from './sql-database.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/**
 * Brings a store's schema up to this version of Skylark: the engine's SQL files of `migrations/` in the order of
 * their names, all that are missing in one transaction. Throws where the store was written by a newer version.
 */
export function migrate(database: SqlDatabase): void {
  const folder = join(MIGRATIONS, database.engine);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  if (schemaVersion(database) === files.length) return;
  inTransaction(database, () => {
    // Asked again inside the transaction: another process may just have done the work.
    const version = schemaVersion(database);
    if (version > files.length) {
      throw new Error(
        `The store has schema version ${version}, and this Skylark knows up to ${files.length}: start the newer Skylark that wrote it, or name another folder in DATA_DIR.`,
      );
    }
    for (const file of files.slice(version)) database.exec(readFileSync(join(folder, file), 'utf8'));
    database.exec(`pragma user_version = ${files.length}`);
  });
}

function schemaVersion(database: SqlDatabase): number {
  return Number(database.prepare('pragma user_version').get()?.user_version);
}
