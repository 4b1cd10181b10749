import { inTransaction } from '../../storage/in-transaction.ts';
import { openDatabase } from '../../storage/open/database.ts';
import { isKeyOfStore } from '../../storage/shared-key.ts';
import type { SqlDatabase, SqlTag } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import type { AlertKeys } from './alert-keys.ts';
import { type PackageLookup, packageLookup } from './package-lookup.ts';

/** What every part of the alerts works on: the store's tables, the keys, and the packages on sale. */
export interface AlertStore {
  database: SqlDatabase;
  /** Tagged statements: what stands in `${}` is bound, never pasted. */
  sql: SqlTag;
  keys: AlertKeys;
  packages: PackageLookup;
  /** One write transaction. */
  transact<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens the alerts of a store. Throws where it cannot be used, or was used with another key: no
 * number in it could be found or read again.
 */
export function openAlertStore(address: StoreAddress, keys: AlertKeys): AlertStore {
  // What was acknowledged outlives a power cut, and what was erased is overwritten.
  const database = openDatabase(address, { careful: true, hurried: true });
  try {
    const store = alertStore(database, keys);
    checkKey(store);
    return store;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The same on an open database, which it then owns and closes. */
export function alertStore(database: SqlDatabase, keys: AlertKeys): AlertStore {
  return {
    database,
    keys,
    sql: database.sql,
    packages: packageLookup(database),
    transact: (work) => inTransaction(database, work),
    close: () => database.close(),
  };
}

/** The note that says which key a store's alerts were made with: that key's hash of `KEY_CHECK`. */
export const KEY_NOTE = 'alerts.key';
export const KEY_CHECK = 'check';

function checkKey({ database, keys }: AlertStore): void {
  if (isKeyOfStore(database, KEY_NOTE, keys.hash('key', KEY_CHECK))) return;
  throw new Error(
    database.engine === 'sqlite'
      ? 'The alerts of this data folder were made with another key: give ALERTS_KEY, or the file alerts.key, as it was then'
      : 'The alerts of this DATABASE_URL were made with another ALERTS_KEY: give the same to every server',
  );
}
