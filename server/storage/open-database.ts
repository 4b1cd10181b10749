import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from './migrate.ts';

const FILE_NAME = 'inventory.sqlite';

/** How long a statement waits for another connection's lock, in milliseconds. */
const LOCK_TIMEOUT = 10_000;

/** The store's file inside a data folder. */
export function databasePath(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/** Opens the embedded store for reading and writing; makes the folder, the file and the schema where missing. */
export function openDatabase(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(databasePath(dataDir), { timeout: LOCK_TIMEOUT });
  try {
    // Readers go on while a load writes. A power cut may lose the last transactions, never the store.
    database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma temp_store = memory;');
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Opens a connection that only reads a store that `openDatabase` made. */
export function openDatabaseForReading(dataDir: string): DatabaseSync {
  const database = new DatabaseSync(databasePath(dataDir), { timeout: LOCK_TIMEOUT, readOnly: true });
  database.exec(`pragma mmap_size = ${2 ** 31 - 65_536}; pragma temp_store = memory;`);
  return database;
}
