import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { runTransaction } from './run-transaction.ts';
import type { SqlDatabase } from './sql-database.ts';
import { isStoreLocked } from './store-locked.ts';

/** Runs read-only work in one snapshot of the store. */
export function inSnapshot<T>(database: SqlDatabase, work: () => T): T {
  try {
    return readOnce(database, work);
  } catch (error) {
    // After a lock timeout, there is no time left for another attempt.
    if (!isStoreUnavailable(error) || isStoreLocked(error)) throw error;
    // The retry connects to another server, if there is one.
    return readOnce(database, work);
  }
}

function readOnce<T>(database: SqlDatabase, work: () => T): T {
  database.beginReading();
  return runTransaction(database, work);
}
