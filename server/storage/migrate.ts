import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SqlDatabase, SqlSession } from './sql-database.ts';

type Engine = SqlDatabase['engine'];

/**
 * Each file is named by the schema version that it produces. An engine's own folder may have a file of the
 * same name, which runs after the common one.
 */
const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Sorted by version. */
const FILES = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .toSorted();

const VERSIONS = FILES.map((name) => Number.parseInt(name, 10));

/** The newest schema version that this Skylark supports. */
export const SCHEMA_VERSION = Math.max(...VERSIONS);

/** Replacements that turn a migration's SQL into each engine's dialect. */
const DIALECT: Record<Engine, readonly (readonly [RegExp, string])[]> = {
  sqlite: [
    [/\bbigint generated always as identity primary key\b/g, 'integer primary key autoincrement'],
    [/\b(bigint|smallint)\b/g, 'integer'],
    [/\bbytea\b/g, 'blob'],
    [/\bdouble precision\b/g, 'real'],
  ],
  postgresql: [[/\) strict(, without rowid)?;/g, ');']],
};

/** How the operator chooses another store, for the error message. */
const OTHER_STORE = { sqlite: 'another folder in DATA_DIR', postgresql: 'another database in DATABASE_URL' };

/**
 * Migrates a store's schema to this version of Skylark, in one transaction. If several servers start
 * together, one migrates and the others wait. Throws if it cannot upgrade the store's version.
 */
export async function migrate(database: SqlDatabase): Promise<void> {
  if ((await schemaVersion(database)) === SCHEMA_VERSION) return;
  await database.write('schema', async (tx) => {
    // Check again, because another process may just have migrated the store.
    const version = await schemaVersion(tx);
    requireSupported(tx.engine, version);
    for (const sql of migrationsOf(tx.engine, version)) await tx.exec(sql);
    await tx.exec(versionSql(tx, SCHEMA_VERSION));
  });
  await database.cluster?.distributeNewTables();
}

/** The SQL that brings a schema from one version to another. */
export function migrationsOf(engine: Engine, from: number, to = SCHEMA_VERSION): string[] {
  return FILES.filter((_, at) => (VERSIONS[at] ?? 0) > from && (VERSIONS[at] ?? 0) <= to).flatMap((file) => {
    const shared = readFileSync(join(MIGRATIONS, file), 'utf8');
    const own = join(MIGRATIONS, engine, file);
    const translated = DIALECT[engine].reduce((sql, [from, to]) => sql.replace(from, to), shared);
    return existsSync(own) ? [translated, readFileSync(own, 'utf8')] : [translated];
  });
}

function requireSupported(engine: Engine, version: number): void {
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `The store has schema version ${version}, but this Skylark only supports versions up to ${SCHEMA_VERSION}. Start the newer Skylark that wrote it, or set ${OTHER_STORE[engine]}.`,
    );
  }
  if (version !== 0 && !VERSIONS.includes(version)) {
    throw new Error(
      `The store has schema version ${version}, which this Skylark cannot upgrade. Start Skylark 0.2.0 with it first, or set ${OTHER_STORE[engine]}.`,
    );
  }
}

/** The version of a store's schema; 0 if there is none. */
export async function schemaVersion(database: SqlSession): Promise<number> {
  if (database.engine === 'sqlite')
    return Number((await database.prepare('pragma user_version').get())?.user_version);
  // Read from a table, which shows a migration that this process waited for. `to_regclass` alone may not.
  const isThere = await database
    .prepare(`select 1 from pg_class where oid = to_regclass('schema_version')`)
    .row();
  return isThere !== undefined
    ? Number((await database.prepare('select version from schema_version').row())?.[0])
    : 0;
}

function versionSql({ engine }: SqlSession, version: number): string {
  return engine === 'sqlite'
    ? `pragma user_version = ${version}`
    : `create table if not exists schema_version (version integer not null);
      delete from schema_version; insert into schema_version values (${version})`;
}
