import type { StoreLock } from '../sql-database.ts';

/** The first number of all advisory locks for transactions. The second is a hash of the lock's name. */
const LOCKS = 7_759_105;

/** The two numbers of an advisory lock. */
export function lockNumbers(name: string): string {
  return `${LOCKS}, hashtext('${name.replaceAll("'", "''")}')`;
}

/**
 * SQL that takes a lock until the transaction ends. Also makes commits of packages durable, because a Citus
 * coordinator that crashes must not lose a commit that its workers keep.
 */
export function takeLock(lock: StoreLock): string {
  const take = `select pg_advisory_xact_lock(${lockNumbers(lock)})`;
  return lock === 'alerts' || lock === 'records' ? take : `set local synchronous_commit = on; ${take}`;
}
