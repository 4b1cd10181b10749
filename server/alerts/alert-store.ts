import type { DatabaseSync, SQLTagStore } from 'node:sqlite';
import { inTransaction } from '../storage/in-transaction.ts';
import { openDatabase } from '../storage/open-database.ts';
import type { AlertKeys } from './alert-keys.ts';
import { type KnownPackages, knownPackages } from './known-packages.ts';

/** Statements kept prepared. */
const STATEMENTS = 200;

/** What every part of the alerts works on: the store's tables, the keys, and the packages on sale. */
export interface AlertStore {
  database: DatabaseSync;
  /** Tagged statements: what stands in `${}` is bound, never pasted. */
  sql: SQLTagStore;
  keys: AlertKeys;
  packages: KnownPackages;
  /** One write transaction. */
  transact<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens the alerts of a data folder. Throws where the folder cannot be used, or was used with another key: no
 * number in it could be found or read again.
 */
export function openAlertStore(dataDir: string, keys: AlertKeys): AlertStore {
  const database = openDatabase(dataDir);
  try {
    // What was acknowledged outlives a power cut, and what was erased is overwritten.
    database.exec('pragma synchronous = full; pragma secure_delete = on;');
    const store = alertStore(database, keys);
    checkKey(store);
    return store;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The same on an open database, which it then owns and closes. */
export function alertStore(database: DatabaseSync, keys: AlertKeys): AlertStore {
  return {
    database,
    keys,
    sql: database.createTagStore(STATEMENTS),
    packages: knownPackages(database),
    transact: (work) => inTransaction(database, work),
    close: () => database.close(),
  };
}

/** The note that says which key a store's alerts were made with: that key's hash of `KEY_CHECK`. */
export const KEY_NOTE = 'alerts.key';
export const KEY_CHECK = 'check';

function checkKey({ sql, keys }: AlertStore): void {
  const own = keys.hash('key', KEY_CHECK);
  const held = () => sql.get`select value from note where name = ${KEY_NOTE}`?.value;
  if (held() === undefined)
    sql.run`insert into note (name, value) values (${KEY_NOTE}, ${own}) on conflict (name) do nothing`;
  if (held() !== own) {
    throw new Error(
      'The alerts of this data folder were made with another key: give ALERTS_KEY, or the file alerts.key, as it was then',
    );
  }
}
