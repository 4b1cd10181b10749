import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { readNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { STORE_CHANGED } from './store-import.ts';

const LOCK = 'shared hotels';

/** The note that changes whenever descriptions of hotels with shared codes may change. */
const DESCRIBED = 'shared_hotels_described';

/** The interval between two attempts to get the lock. */
const POLL_MS = 250;

/**
 * The lock for describing hotels with shared codes. In PostgreSQL, imports of such providers run one after
 * another, from reading the dictionaries to the end, because descriptions depend on the store.
 */
export interface SharedHotels {
  /**
   * Throws a FeedFault if another import has had the lock meanwhile, after a lost connection. Call it in each
   * transaction that writes.
   */
  check(): void;
  /** Tells others that descriptions may have changed. Call it in the transaction that changes them. */
  renew(): void;
}

/** Waits for the lock and keeps it until the connection closes. `onWait` is called several times a second. */
export async function holdSharedHotels(database: SqlDatabase, onWait: () => void): Promise<SharedHotels> {
  while (!database.tryLock(LOCK)) {
    onWait();
    await setTimeout(POLL_MS);
  }
  const seen = readNote(database, DESCRIBED);
  return {
    check() {
      // A reopened connection has lost the lock.
      if (!database.tryLock(LOCK) || readNote(database, DESCRIBED) !== seen)
        throw new FeedFault(STORE_CHANGED);
    },
    renew: () => writeNote(database, DESCRIBED, randomUUID()),
  };
}
