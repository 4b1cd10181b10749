import type { SqlDatabase, StoreLock } from './sql-database.ts';

/** Runs work in one write transaction, and takes `lock` unless it is null. If `work` throws, nothing is written. */
export function inTransaction<T>(
  database: SqlDatabase,
  work: () => Promise<T>,
  lock: StoreLock | null = 'records',
): Promise<T> {
  return database.write(lock, work);
}
