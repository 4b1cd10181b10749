import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { runTransaction } from './run-transaction.ts';
import type { SqlDatabase } from './sql-database.ts';
import { isStoreLocked } from './store-locked.ts';

/** Runs reading work on one state of the store: its statements do not see what is written meanwhile. */
export function inSnapshot<T>(database: SqlDatabase, work: () => T): T {
  try {
    return readOnce(database, work);
  } catch (error) {
    // Whoever has waited for a lock has waited long enough.
    if (!isStoreUnavailable(error) || isStoreLocked(error)) throw error;
    // The next connection goes to another server, if there is one.
    return readOnce(database, work);
  }
}

function readOnce<T>(database: SqlDatabase, work: () => T): T {
  database.beginReading();
  return runTransaction(database, work);
}
