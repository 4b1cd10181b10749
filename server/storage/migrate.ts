import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTransaction } from './in-transaction.ts';
import type { SqlDatabase } from './sql-database.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** How to choose another store, for the error message. */
const OTHER_STORE = { sqlite: 'another folder in DATA_DIR', postgresql: 'another database in DATABASE_URL' };

/**
 * Migrates a store's schema to this version of Skylark: runs the engine's missing SQL files of `migrations/`, in the
 * order of their names, in one transaction. If several servers start at once, one of them migrates and the others
 * wait. Throws if a newer version has written the store.
 */
export function migrate(database: SqlDatabase): void {
  const files = migrationFiles(database.engine);
  const folder = join(MIGRATIONS, database.engine);
  if (schemaVersion(database) === files.length) return;
  inTransaction(
    database,
    () => {
      // Read again inside the transaction, because another process may just have migrated.
      const version = schemaVersion(database);
      if (version > files.length) {
        throw new Error(
          `The store has schema version ${version}, but this Skylark only supports versions up to ${files.length}. Start the newer Skylark that wrote it, or set ${OTHER_STORE[database.engine]}.`,
        );
      }
      for (const file of files.slice(version)) database.exec(readFileSync(join(folder, file), 'utf8'));
      database.exec(versionSql(database, files.length));
    },
    'schema',
  );
  database.distributeNewTables();
}

/** The version of a store's schema; 0 if there is none. */
export function schemaVersion(database: SqlDatabase): number {
  if (database.engine === 'sqlite')
    return Number(database.prepare('pragma user_version').get()?.user_version);
  // Not `to_regclass` alone, which may answer from before the wait for another process that has just migrated: to read a
  // table, PostgreSQL first takes note of what has changed.
  const isThere = database.prepare(`select 1 from pg_class where oid = to_regclass('schema_version')`).row();
  return isThere !== undefined
    ? Number(database.prepare('select version from schema_version').row()?.[0])
    : 0;
}

function versionSql({ engine }: SqlDatabase, version: number): string {
  return engine === 'sqlite'
    ? `pragma user_version = ${version}`
    : `create table if not exists schema_version (version integer not null);
      delete from schema_version; insert into schema_version values (${version})`;
}

/** The newest schema version that this Skylark supports. */
export function knownSchemaVersion(engine: SqlDatabase['engine']): number {
  return migrationFiles(engine).length;
}

function migrationFiles(engine: SqlDatabase['engine']): string[] {
  return readdirSync(join(MIGRATIONS, engine))
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
}
