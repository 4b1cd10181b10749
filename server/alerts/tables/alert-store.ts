import { openDatabase } from '../../storage/open/database.ts';
import type { SqlDatabase, SqlSession, SqlTag } from '../../storage/sql-database.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import { keyFingerprint } from '../../storage/store-key.ts';
import type { AlertKeys } from '../keys/alert-keys.ts';
import { isKeyOfAlerts, KEY_NOTE, type KeyRing, keyRing, olderKeys, wrongKey } from '../keys/key-ring.ts';
import { type PackageLookup, packageLookup, packageNames } from './package-lookup.ts';

/** A session as the alerts use it: statements, keys, and packages on sale. */
export interface AlertSession {
  session: SqlSession;
  sql: SqlTag;
  keys: KeyRing;
  packages: PackageLookup;
}

/** The store as the alerts use it. Outside of `transact`, each statement is a transaction of its own. */
export interface AlertStore extends AlertSession {
  database: SqlDatabase;
  /** Runs `work` in one write transaction. Throws if the keys were rotated since the store was opened. */
  transact<T>(work: (tx: AlertSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Opens the alerts of a store. Throws if it is unavailable, or if its numbers were encrypted with another
 * key. With `patient`, waits while an import locks the embedded store.
 */
export async function openAlertStore(
  address: StoreAddress,
  readKeys: (mayCreate: boolean) => AlertKeys,
  { patient = false }: { patient?: boolean } = {},
): Promise<AlertStore> {
  const interactive = !(patient && address.kind === 'embedded');
  // In PostgreSQL the key is a setting, so a missing one is reported before connecting.
  const set = address.kind === 'postgresql' ? readKeys(false) : null;
  // With `durable`, accepted sign-ups survive a power cut, and erased data is overwritten.
  const database = await openDatabase(address, { durable: true, interactive });
  try {
    const keys = set ?? readKeys((await keyFingerprint(database, KEY_NOTE)) === null);
    if (!(await isKeyOfAlerts(database, keys))) throw wrongKey(database);
    return alertStore(database, keys, await olderKeys(database, keys));
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The alerts of an open database. Closing them closes the database. */
export function alertStore(
  database: SqlDatabase,
  keys: AlertKeys,
  older: readonly AlertKeys[] = [],
): AlertStore {
  const ring = keyRing(keys, older);
  const names = packageNames();
  const over = (session: SqlSession): AlertSession => ({
    session,
    keys: ring,
    sql: session.sql,
    packages: packageLookup(session, names),
  });
  return {
    ...over(database),
    database,
    transact: (work) =>
      database.write('alerts', async (tx) => {
        await ring.check(tx);
        return work(over(tx));
      }),
    close: () => database.close(),
  };
}
