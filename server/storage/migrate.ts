import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTransaction } from './in-transaction.ts';
import type { SqlDatabase } from './sql-database.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Where another store is named, for the error's sentence. */
const ELSEWHERE = { sqlite: 'another folder in DATA_DIR', postgresql: 'another database in DATABASE_URL' };

/**
 * Brings a store's schema up to this version of Skylark: the engine's SQL files of `migrations/` in the order of
 * their names, all that are missing in one transaction. Of several servers that start at once one does it, and the
 * others wait. Throws where the store was written by a newer version.
 */
export function migrate(database: SqlDatabase): void {
  const files = migrationFiles(database.engine);
  const folder = join(MIGRATIONS, database.engine);
  if (schemaVersion(database) === files.length) return;
  inTransaction(database, () => {
    // Asked again inside the transaction: another process may just have done the work.
    const version = schemaVersion(database);
    if (version > files.length) {
      throw new Error(
        `The store has schema version ${version}, and this Skylark knows up to ${files.length}: start the newer Skylark that wrote it, or name ${ELSEWHERE[database.engine]}.`,
      );
    }
    for (const file of files.slice(version)) database.exec(readFileSync(join(folder, file), 'utf8'));
    database.exec(versionSql(database, files.length));
  });
}

/** The schema's version in a store, 0 where there is none. */
export function schemaVersion(database: SqlDatabase): number {
  if (database.engine === 'sqlite')
    return Number(database.prepare('pragma user_version').get()?.user_version);
  const isThere = database.prepare(`select to_regclass('schema_version') is not null`).row()?.[0];
  return isThere ? Number(database.prepare('select version from schema_version').row()?.[0]) : 0;
}

function versionSql({ engine }: SqlDatabase, version: number): string {
  return engine === 'sqlite'
    ? `pragma user_version = ${version}`
    : `create table if not exists schema_version (version integer not null);
      delete from schema_version; insert into schema_version values (${version})`;
}

/** The newest schema that this version of Skylark knows. */
export function knownSchemaVersion(engine: SqlDatabase['engine']): number {
  return migrationFiles(engine).length;
}

function migrationFiles(engine: SqlDatabase['engine']): string[] {
  return readdirSync(join(MIGRATIONS, engine))
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
}
