import type { StoreLock } from '../sql-database.ts';

/** The first number of the advisory locks of transactions; the second one is a hash of the lock's name. */
const LOCKS = 7_759_105;

/** The two numbers of an advisory lock. */
export function lockNumbers(name: string): string {
  return `${LOCKS}, hashtext('${name.replaceAll("'", "''")}')`;
}

/**
 * Takes a lock until the transaction ends. Commits of packages are durable: a crash of a Citus coordinator must not lose its part
 * of a commit that the workers keep.
 */
export function takeLock(lock: StoreLock): string {
  const take = `select pg_advisory_xact_lock(${lockNumbers(lock)})`;
  return lock === 'alerts' || lock === 'records' ? take : `set local synchronous_commit = on; ${take}`;
}
