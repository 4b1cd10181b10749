import { inTransaction } from '../../storage/in-transaction.ts';
import { openDatabase } from '../../storage/open/database.ts';
import type { SqlDatabase, SqlTag } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { keyFingerprint } from '../../storage/store-key.ts';
import type { AlertKeys } from '../keys/alert-keys.ts';
import { isKeyOfAlerts, KEY_NOTE, type KeyRing, keyRing, wrongKey } from '../keys/key-ring.ts';
import { type PackageLookup, packageLookup } from './package-lookup.ts';

/** The store as the alerts use it: database, keys, and packages on sale. */
export interface AlertStore {
  database: SqlDatabase;
  sql: SqlTag;
  keys: KeyRing;
  packages: PackageLookup;
  /** Runs `work` in one write transaction, with the current keys. */
  transact<T>(work: () => T): T;
  close(): void;
}

/**
 * Opens the alerts of a store. Throws if it is unavailable, or if its numbers were encrypted with another
 * key. `readKeys` is called again when a rotation may have replaced the keys. With `patient`, waits while an
 * import locks the embedded store.
 */
export function openAlertStore(
  address: StoreAddress,
  readKeys: (mayCreate: boolean) => AlertKeys,
  { patient = false }: { patient?: boolean } = {},
): AlertStore {
  const interactive = !(patient && address.kind === 'embedded');
  // In PostgreSQL the key is a setting, so a missing one is reported before connecting.
  const set = address.kind === 'postgresql' ? readKeys(false) : null;
  // With `durable`, accepted sign-ups survive a power cut, and erased data is overwritten.
  const database = openDatabase(address, { durable: true, interactive });
  try {
    const keys = set ?? readKeys(keyFingerprint(database, KEY_NOTE) === null);
    if (!isKeyOfAlerts(database, keys)) throw wrongKey(database);
    return alertStore(database, keys, () => readKeys(false));
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The alerts of an open database. Closing them closes the database. */
export function alertStore(
  database: SqlDatabase,
  keys: AlertKeys,
  reread: () => AlertKeys = () => keys,
): AlertStore {
  let isCovered = false;
  const ring = keyRing(database, { own: keys, reread, isCovered: () => isCovered });
  return {
    database,
    keys: ring,
    sql: database.sql,
    packages: packageLookup(database),
    transact: (work) =>
      inTransaction(
        database,
        () => {
          ring.refresh();
          isCovered = true;
          try {
            return work();
          } finally {
            isCovered = false;
          }
        },
        'alerts',
      ),
    close: () => database.close(),
  };
}
