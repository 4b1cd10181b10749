import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { CITUS_INTERACTIVE, CITUS_SETTINGS } from '../citus/settings.ts';
import { migrate } from '../migrate.ts';
import { requireSessions } from '../postgres/require-sessions.ts';
import { postgresDatabase } from '../postgres/sync/database.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { LOCK_ATTEMPT_MS, sqliteDatabase } from '../sqlite/database.ts';
import { protectStoreFile, requireFileAt, requireWritable } from '../sqlite/store-file.ts';
import type { EmbeddedAddress, PostgresAddress, StoreAddress } from '../store-address.ts';

const FILE_NAME = 'inventory.sqlite';

/** Bytes that the embedded store's journal keeps on the disk once its pages are in the store. */
const JOURNAL_BYTES = 4 * 1024 * 1024;

/** Kilobytes of the store that a reading connection caches; the system caches the file as well. */
const READ_CACHE_KB = 32_000;

/** How long a statement waits for another connection's lock, in milliseconds. A large import holds it for long. */
const LOCK_TIMEOUT = 60_000;

/** The same for interactive connections, and in PostgreSQL for reading, which waits for locks of whole tables only. */
const INTERACTIVE_LOCK_TIMEOUT = 1_500;

/** The same in the embedded store, where an import holds the only lock, and not just for its commit. */
const INTERACTIVE_LOCK_WAIT = 1_000;

/**
 * How long a transaction may be idle in PostgreSQL, in milliseconds, in general and for interactive connections. The
 * server then ends it and releases its lock, because the client hangs or can no longer be reached.
 */
const IDLE_TIMEOUT = 30_000;
const INTERACTIVE_IDLE_TIMEOUT = 5_000;

/**
 * How long PostgreSQL is asked for the outcome of a commit that it has not answered, in milliseconds: longer than a
 * restart, or than it takes to end an idle transaction. Nobody who waits for a response is kept that long: without an
 * answer, nothing is acknowledged.
 */
const OUTCOME_WAIT = 60_000;

/** PostgreSQL drops a connection, with its locks, a minute after the client has vanished. */
const KEEPALIVE = { tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' };

export interface OpenOptions {
  /**
   * For personal data: commits survive a power cut, and deleted data is overwritten. Otherwise a power cut may lose the
   * last transactions, which the next import repeats.
   */
  durable?: boolean;
  /** Somebody waits for the result: the connection fails early instead of waiting for a large import. */
  interactive?: boolean;
  /** The store was open before: in the embedded one, a file that is missing has been removed, and is not created. */
  isExisting?: boolean;
  /** Statements join whole tables, so the planner of PostgreSQL may read both in order instead of looking rows up. */
  joinsTables?: boolean;
  /** How long a statement waits for another connection's lock, in milliseconds. */
  lockTimeout?: number;
  /** How long a write transaction may be idle in PostgreSQL, in milliseconds. */
  idleTimeout?: number;
  /** How long PostgreSQL is asked for the outcome of a commit that it has not answered, in milliseconds. */
  outcomeWait?: number;
}

/** The store's file in a data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * Opens the store for reading and writing, and creates its folder, file and schema if they are missing. Throws
 * `StoreUnavailable` if PostgreSQL cannot be reached, and an error that says so behind a pooler in transaction mode.
 */
export function openDatabase(store: StoreAddress, options: OpenOptions = {}): SqlDatabase {
  const database = store.kind === 'embedded' ? openSqlite(store, options) : openPostgres(store, options);
  try {
    if (store.kind === 'postgresql' && options.isExisting !== true)
      requireSessions(database, () => openPostgres(store, options));
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * Opens a read-only connection to a store that `openDatabase` has created: to a replica if there is one, else to the
 * primary.
 */
export function openDatabaseForReading(store: StoreAddress): SqlDatabase {
  if (store.kind === 'embedded') {
    const path = databasePath(store.dataDir);
    const connection = new DatabaseSync(path, { timeout: LOCK_TIMEOUT, readOnly: true });
    // Not mapped into memory: every connection's mapping would count as the process's own memory, up to the store's size.
    connection.exec(`pragma cache_size = -${READ_CACHE_KB}; pragma temp_store = memory;`);
    return sqliteDatabase(connection, requireFilesOf(connection, path));
  }
  const urls = [...store.readUrls, store.url];
  const settings = {
    default_transaction_read_only: 'on',
    lock_timeout: String(INTERACTIVE_LOCK_TIMEOUT),
    ...CITUS_INTERACTIVE,
  };
  return postgresDatabase({ urls, settings, isReadOnly: true, outcomeWait: 0 }, store.unreachableDays);
}

function openSqlite(
  { dataDir }: EmbeddedAddress,
  { durable = false, interactive = false, isExisting = false, lockTimeout = LOCK_TIMEOUT }: OpenOptions,
): SqlDatabase {
  const path = databasePath(dataDir);
  if (isExisting && !existsSync(path)) {
    throw new StoreUnavailable({ cause: new Error(`${path} does not exist any more`) });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  protectStoreFile(path);
  requireWritable(path);
  const connection = new DatabaseSync(path, { timeout: lockTimeout });
  // Pages of a new store: with the usual 4 kB, a price block is in several, which takes a quarter longer to read.
  connection.exec('pragma page_size = 8192');
  // Readers continue while an import writes. A power cut may lose the last transactions, but never the store.
  connection.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory;');
  // What a large import needed of the journal is given back to the disk.
  connection.exec(`pragma journal_size_limit = ${JOURNAL_BYTES}`);
  if (durable) connection.exec('pragma synchronous = full; pragma secure_delete = on;');
  const requireFile = requireFilesOf(connection, path);
  if (!interactive) return sqliteDatabase(connection, requireFile);
  connection.exec(`pragma busy_timeout = ${LOCK_ATTEMPT_MS}`);
  return sqliteDatabase(connection, requireFile, INTERACTIVE_LOCK_WAIT);
}

function requireFilesOf(connection: DatabaseSync, path: string): () => void {
  // From its first reading on, a connection holds its journal.
  connection.prepare('pragma schema_version').get();
  return requireFileAt(path);
}

function openPostgres(
  { url, unreachableDays }: PostgresAddress,
  {
    durable = false,
    interactive = false,
    joinsTables = false,
    lockTimeout = interactive ? INTERACTIVE_LOCK_TIMEOUT : LOCK_TIMEOUT,
    idleTimeout = interactive ? INTERACTIVE_IDLE_TIMEOUT : IDLE_TIMEOUT,
    outcomeWait = interactive ? 0 : OUTCOME_WAIT,
  }: OpenOptions,
): SqlDatabase {
  const settings = {
    ...KEEPALIVE,
    lock_timeout: String(lockTimeout),
    idle_in_transaction_session_timeout: String(idleTimeout),
    ...CITUS_SETTINGS,
    ...(interactive ? CITUS_INTERACTIVE : {}),
    ...(joinsTables ? { enable_mergejoin: 'on' } : {}),
    ...(durable ? {} : { synchronous_commit: 'off' }),
  };
  const options = { urls: [url], settings, isReadOnly: false, outcomeWait };
  return postgresDatabase(options, unreachableDays);
}
