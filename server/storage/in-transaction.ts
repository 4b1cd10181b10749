import type { DatabaseSync } from 'node:sqlite';

/** Does the work in one write transaction: all of it stands afterwards, or none of it. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    // A full disk or a failing one has ended the transaction already.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}
