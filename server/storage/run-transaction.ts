import type { SqlDatabase } from './sql-database.ts';

/** Runs work in the open transaction, then commits. Rolls back if the work or the commit throws. */
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
