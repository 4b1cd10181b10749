import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import type { SqlDatabase } from './sql-database.ts';

/** Does reading work on one state of the store: whatever is written meanwhile, none of its statements sees it. */
export function inSnapshot<T>(database: SqlDatabase, work: () => T): T {
  try {
    return readOnce(database, work);
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    // The next connection is to another server, where there is one.
    return readOnce(database, work);
  }
}

function readOnce<T>(database: SqlDatabase, work: () => T): T {
  database.beginReading();
  try {
    const result = work();
    database.commit();
    return result;
  } catch (error) {
    database.rollback();
    throw error;
  }
}
