import type { SqlDatabase } from './sql-database.ts';

/** Runs the work of a transaction that has begun, and commits it. If the work or the commit throws, it is rolled back. */
export function runTransaction<T>(database: Pick<SqlDatabase, 'commit' | 'rollback'>, work: () => T): T {
  try {
    const result = work();
    database.commit();
    return result;
  } catch (error) {
    database.rollback();
    throw error;
  }
}
