import type { SqlDatabase } from './sql-database.ts';

/** Runs work in one write transaction. If it throws, nothing is written. */
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
