import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../migrate.ts';
import { postgresDatabase } from '../postgres/database.ts';
import { postgresLink } from '../postgres/sync-connection.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { sqliteDatabase } from '../sqlite/database.ts';
import type { EmbeddedAddress, PostgresAddress, StoreAddress } from '../store-address.ts';

const FILE_NAME = 'inventory.sqlite';

/** How long a statement waits for another connection's lock, in milliseconds: a large import holds it for long. */
const LOCK_TIMEOUT = 60_000;

/** The same in a PostgreSQL where somebody waits for the answer. */
const HURRIED_LOCK_TIMEOUT = 3_000;

/**
 * How long a transaction may stand still in a PostgreSQL, in milliseconds, where nobody waits and where somebody does.
 * The server ends it then, and its lock is free again: whoever began it hangs, or can no longer be reached.
 */
const STANDSTILL = 30_000;
const HURRIED_STANDSTILL = 5_000;

/** When a PostgreSQL gives up a connection whose other end has vanished, with the locks it holds: after a minute. */
const KEEPALIVE = { tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' };

export interface OpenOptions {
  /**
   * What is committed outlives a power cut, and what is deleted is overwritten: for people's data. Otherwise the
   * last transactions may be lost, which the next import brings again.
   */
  careful?: boolean;
  /** Somebody waits for the answer, and is rather told to come again than left waiting for a large import. */
  hurried?: boolean;
  /** How long a statement waits for another connection's lock, in milliseconds, where it is not the usual. */
  lockTimeout?: number;
  /** How long a write transaction may stand still in a PostgreSQL, in milliseconds, where it is not the usual time. */
  standstill?: number;
}

/** The store's file inside a data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/**
 * Opens the store for reading and writing; makes what is missing of it: folder, file, schema. Throws
 * `StoreUnavailable` where a PostgreSQL cannot be reached.
 */
export function openDatabase(store: StoreAddress, options: OpenOptions = {}): SqlDatabase {
  const database = store.kind === 'embedded' ? openSqlite(store, options) : openPostgres(store, options);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/**
 * Opens a connection that only reads a store that `openDatabase` made; with replicas, one of them, or whichever
 * server there is.
 */
export function openDatabaseForReading(store: StoreAddress): SqlDatabase {
  if (store.kind === 'embedded') {
    const connection = new DatabaseSync(databasePath(store.dataDir), {
      timeout: LOCK_TIMEOUT,
      readOnly: true,
    });
    connection.exec(`pragma mmap_size = ${2 ** 31 - 65_536}; pragma temp_store = memory;`);
    return sqliteDatabase(connection);
  }
  const urls = [...store.readUrls, store.url];
  const settings = { default_transaction_read_only: 'on' };
  return postgresDatabase(postgresLink({ urls, settings, isReadOnly: true }));
}

function openSqlite(
  { dataDir }: EmbeddedAddress,
  { careful = false, lockTimeout = LOCK_TIMEOUT }: OpenOptions,
): SqlDatabase {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const connection = new DatabaseSync(databasePath(dataDir), { timeout: lockTimeout });
  // Readers go on while a load writes. A power cut may lose the last transactions, never the store.
  connection.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory;');
  if (careful) connection.exec('pragma synchronous = full; pragma secure_delete = on;');
  return sqliteDatabase(connection);
}

function openPostgres(
  { url }: PostgresAddress,
  {
    careful = false,
    hurried = false,
    lockTimeout = hurried ? HURRIED_LOCK_TIMEOUT : LOCK_TIMEOUT,
    standstill = hurried ? HURRIED_STANDSTILL : STANDSTILL,
  }: OpenOptions,
): SqlDatabase {
  const settings = {
    ...KEEPALIVE,
    lock_timeout: String(lockTimeout),
    idle_in_transaction_session_timeout: String(standstill),
    ...(careful ? {} : { synchronous_commit: 'off' }),
  };
  return postgresDatabase(postgresLink({ urls: [url], settings, isReadOnly: false }));
}
