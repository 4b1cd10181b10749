import type { SqlDatabase } from './sql-database.ts';

/** Does the work in one write transaction: all of it stands afterwards, or none of it. */
export function inTransaction<T>(database: SqlDatabase, work: () => T): T {
  database.begin();
  try {
    const result = work();
    database.commit();
    return result;
  } catch (error) {
    database.rollback();
    throw error;
  }
}
