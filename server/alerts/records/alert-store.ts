import { inTransaction } from '../../storage/in-transaction.ts';
import { openDatabase } from '../../storage/open/database.ts';
import type { SqlDatabase, SqlTag } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { isKeyOfStore } from '../../storage/store-key.ts';
import type { AlertKeys } from './alert-keys.ts';
import { type PackageLookup, packageLookup } from './package-lookup.ts';

/** The store as the alerts use it: tables, keys, and packages on sale. */
export interface AlertStore {
  database: SqlDatabase;
  /** Tagged statements: values in `${}` are bound as parameters. */
  sql: SqlTag;
  keys: AlertKeys;
  packages: PackageLookup;
  /** Runs `work` in one write transaction. */
  transact<T>(work: () => T): T;
  close(): void;
}

/** Opens the alerts of a store. Throws if the store is unavailable, or if its numbers were encrypted with another key. */
export function openAlertStore(address: StoreAddress, keys: AlertKeys): AlertStore {
  // Acknowledged sign-ups survive a power cut, and erased data is overwritten.
  const database = openDatabase(address, { durable: true, interactive: true });
  try {
    const store = alertStore(database, keys);
    checkKey(store);
    return store;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The same on an open database, which `close` closes. */
export function alertStore(database: SqlDatabase, keys: AlertKeys): AlertStore {
  return {
    database,
    keys,
    sql: database.sql,
    packages: packageLookup(database),
    transact: (work) => inTransaction(database, work, 'alerts'),
    close: () => database.close(),
  };
}

/** The note that identifies the key of a store's alerts: the hash of `KEY_CHECK` with that key. */
export const KEY_NOTE = 'alerts.key';
export const KEY_CHECK = 'check';

function checkKey({ database, keys }: AlertStore): void {
  if (isKeyOfStore(database, KEY_NOTE, keys.hash('key', KEY_CHECK))) return;
  throw new Error(
    database.engine === 'sqlite'
      ? 'The alerts of this data folder were encrypted with another key. Restore ALERTS_KEY or the file alerts.key.'
      : 'The alerts of this DATABASE_URL were encrypted with another ALERTS_KEY. Every server needs the same key.',
  );
}
