import type { DatabaseSync } from 'node:sqlite';

/** Does the work in one write transaction: all of it stands afterwards, or none of it. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('begin immediate');
  try {
    work();
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}
