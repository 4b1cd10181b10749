import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { CITUS_INTERACTIVE, CITUS_SETTINGS } from '../citus/settings.ts';
import { migrate } from '../migrate.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { sqliteDatabase } from '../sqlite/database.ts';
import { protectStoreFile, requireFileAt, requireWritable } from '../sqlite/store-file.ts';
import type { EmbeddedAddress, PostgresAddress, StoreAddress } from '../store-address.ts';
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts';

const FILE_NAME = 'inventory.sqlite';

/** The journal is truncated to this size after a checkpoint. */
const JOURNAL_BYTES = 4 * 1024 * 1024;

/** The page cache of a reading connection. */
const READ_CACHE_KB = 32_000;

/** How long a statement waits for another connection's lock, such as a large import's. */
const LOCK_TIMEOUT_MS = 60_000;

/** The lock timeout of interactive connections, and of reads in PostgreSQL. */
const INTERACTIVE_LOCK_TIMEOUT_MS = 1_500;

/** How long a client waits for the embedded store's only lock, which an import holds while it writes. */
const INTERACTIVE_LOCK_WAIT_MS = 1_000;

/** PostgreSQL ends a transaction that is idle for this long: its client hangs or has gone. */
const IDLE_TIMEOUT_MS = 30_000;
const INTERACTIVE_IDLE_TIMEOUT_MS = 5_000;

/**
 * After a commit without a response, how long to ask PostgreSQL for its outcome: longer than a restart takes.
 * Interactive connections do not ask.
 */
const OUTCOME_WAIT_MS = 60_000;

/** PostgreSQL drops a connection and its locks a minute after the client has disappeared. */
const KEEPALIVE = { tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' };

export interface OpenOptions {
  /** For personal data: commits survive a power cut, and deleted data is overwritten. */
  durable?: boolean;
  /** A client waits for the result, so statements fail early instead of waiting for an import. */
  interactive?: boolean;
  /** The store has been open before. If its file is missing, it was removed, and is not created again. */
  isExisting?: boolean;
  /** Statements join whole tables, so PostgreSQL should consider merge joins. */
  joinsTables?: boolean;
  /** This and the next are in milliseconds, and replace the constants above. */
  lockTimeout?: number;
  idleTimeout?: number;
  outcomeWait?: number;
}

/** The path of the store's file in a data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * Opens the store for reading and writing. Creates missing folders, files and tables. Throws
 * `StoreUnavailable` if PostgreSQL cannot be reached, and another error behind a pooler in transaction mode.
 */
export async function openDatabase(store: StoreAddress, options: OpenOptions = {}): Promise<SqlDatabase> {
  let requireSessions = async () => {};
  let database: SqlDatabase;
  if (store.kind === 'embedded') database = openSqlite(store, options);
  else {
    const postgres = openPostgres(store, options);
    database = postgres;
    if (options.isExisting !== true) requireSessions = postgres.requireSessions;
  }
  try {
    await requireSessions();
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Opens an existing store read-only: on a replica if there is one, else on the primary. */
export function openDatabaseForReading(store: StoreAddress): SqlDatabase {
  if (store.kind === 'embedded') {
    const path = databasePath(store.dataDir);
    const connection = new DatabaseSync(path, { readOnly: true });
    // No mmap, because each connection's mapping would count as the process's memory.
    connection.exec(`pragma cache_size = -${READ_CACHE_KB}; pragma temp_store = memory;`);
    return sqliteDatabase(connection, requireFilesOf(connection, path), LOCK_TIMEOUT_MS);
  }
  const urls = [...store.readUrls, store.url];
  const settings = {
    default_transaction_read_only: 'on',
    lock_timeout: String(INTERACTIVE_LOCK_TIMEOUT_MS),
    ...CITUS_INTERACTIVE,
  };
  const connectionWait = INTERACTIVE_LOCK_TIMEOUT_MS;
  return postgresDatabase(
    { urls, settings, isReadOnly: true, connectionWait, outcomeWait: 0 },
    store.unreachableDays,
  );
}

function openSqlite(
  { dataDir }: EmbeddedAddress,
  { durable = false, interactive = false, isExisting = false, lockTimeout = LOCK_TIMEOUT_MS }: OpenOptions,
): SqlDatabase {
  const path = databasePath(dataDir);
  if (isExisting && !existsSync(path)) {
    throw new StoreUnavailable({ cause: new Error(`${path} does not exist any more`) });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  protectStoreFile(path);
  requireWritable(path);
  const connection = new DatabaseSync(path, { timeout: lockTimeout });
  // Only new stores get this page size. A price block fits into one page.
  connection.exec('pragma page_size = 8192');
  // WAL lets readers continue while an import writes. A power cut may lose the last transactions, but never
  // the store.
  connection.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory;');
  connection.exec(`pragma journal_size_limit = ${JOURNAL_BYTES}`);
  if (durable) connection.exec('pragma synchronous = full; pragma secure_delete = on;');
  const requireFile = requireFilesOf(connection, path);
  connection.exec('pragma busy_timeout = 0');
  return sqliteDatabase(connection, requireFile, interactive ? INTERACTIVE_LOCK_WAIT_MS : lockTimeout);
}

function requireFilesOf(connection: DatabaseSync, path: string): () => void {
  // SQLite opens the journal only with the first read, and `requireFileAt` needs it open.
  connection.prepare('pragma schema_version').get();
  return requireFileAt(path);
}

function openPostgres(
  { url, unreachableDays }: PostgresAddress,
  {
    durable = false,
    interactive = false,
    joinsTables = false,
    lockTimeout = interactive ? INTERACTIVE_LOCK_TIMEOUT_MS : LOCK_TIMEOUT_MS,
    idleTimeout = interactive ? INTERACTIVE_IDLE_TIMEOUT_MS : IDLE_TIMEOUT_MS,
    outcomeWait = interactive ? 0 : OUTCOME_WAIT_MS,
  }: OpenOptions,
): PostgresDatabase {
  const settings = {
    ...KEEPALIVE,
    lock_timeout: String(lockTimeout),
    idle_in_transaction_session_timeout: String(idleTimeout),
    ...CITUS_SETTINGS,
    ...(interactive ? CITUS_INTERACTIVE : {}),
    ...(joinsTables ? { enable_mergejoin: 'on' } : {}),
    ...(durable ? {} : { synchronous_commit: 'off' }),
  };
  const options = { urls: [url], settings, isReadOnly: false, connectionWait: lockTimeout, outcomeWait };
  return postgresDatabase(options, unreachableDays);
}
