import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { readNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase, SqlSession } from '../../storage/sql-database.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { STORE_CHANGED } from './store-import.ts';

const LOCK = 'shared hotels';

/** The note that changes whenever descriptions of hotels with shared codes may change. */
const DESCRIBED = 'shared_hotels_described';

/** The interval between two attempts to get the lock. */
const POLL_MS = 250;

/**
 * Waits for the lock for describing hotels with shared codes, and keeps it until the connection closes. In
 * PostgreSQL, imports of such providers run one after another, because descriptions depend on the store.
 * `onWait` is called several times a second.
 */
export async function holdSharedHotels(database: SqlDatabase, onWait: () => Promise<void>) {
  while (!(await database.tryLock(LOCK))) {
    await onWait();
    await setTimeout(POLL_MS);
  }
  let seen = await readNote(database, DESCRIBED);
  return {
    /**
     * Throws a FeedFault if the connection was lost and another import has had the lock since. Call it in each
     * transaction that writes.
     */
    async check(tx: SqlSession): Promise<void> {
      if (!(await database.tryLock(LOCK)) || (await readNote(tx, DESCRIBED)) !== seen)
        throw new FeedFault(STORE_CHANGED);
    },
    /** Differs whenever descriptions may have changed. */
    described: () => seen,
    /** Tells others that descriptions may have changed. Call it in the transaction that changes them. */
    async renew(tx: SqlSession): Promise<void> {
      seen = randomUUID();
      await writeNote(tx, DESCRIBED, seen);
    },
  };
}
