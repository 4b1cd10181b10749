import type { StoreLock } from '../sql-database.ts';

/** The first number of the advisory locks of transactions; the second one is a hash of the lock's name. */
const LOCKS = 7_759_105;

/** The two numbers of an advisory lock. */
export function lockNumbers(name: string): string {
  return `${LOCKS}, hashtext('${name.replaceAll("'", "''")}')`;
}

/**
 * Takes a lock until the transaction ends. What is written with the locks of the packages is on the disk when it is
 * committed: a server that keeps them on other nodes could lose its own part in a crash, and keep theirs.
 */
export function takeLock(lock: StoreLock): string {
  const take = `select pg_advisory_xact_lock(${lockNumbers(lock)})`;
  return lock === 'alerts' || lock === 'records' ? take : `set local synchronous_commit = on; ${take}`;
}
