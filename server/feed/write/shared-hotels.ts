import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { readNote, writeNote } from '../../storage/notes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { FeedFault } from '../formats/raw-row.ts';
import { STORE_CHANGED } from './store-import.ts';

const LOCK = 'shared hotels';

/** The note that changes whenever hotels with shared codes may be described otherwise. */
const DESCRIBED = 'shared_hotels_described';

/** Milliseconds between two looks for the lock. */
const POLL_MS = 250;

/**
 * The right to describe the hotels with codes that providers share. What a hotel is depends on what the store has of it, so
 * in PostgreSQL imports of such providers come one after the other, from reading the dictionaries to the end.
 */
export interface SharedHotels {
  /**
   * Throws a FeedFault if somebody else has had the right meanwhile, because the connection was lost. Call it in each
   * transaction that writes.
   */
  check(): void;
  /** Tells others that descriptions may have changed. Call it in the transaction that changes them. */
  renew(): void;
}

/** Waits until the right is free, and holds it until the connection closes. `onWait` is called several times a second. */
export async function holdSharedHotels(database: SqlDatabase, onWait: () => void): Promise<SharedHotels> {
  while (!database.tryLock(LOCK)) {
    onWait();
    await setTimeout(POLL_MS);
  }
  const seen = readNote(database, DESCRIBED);
  return {
    check() {
      // A connection that was opened again no longer has the lock.
      if (!database.tryLock(LOCK) || readNote(database, DESCRIBED) !== seen)
        throw new FeedFault(STORE_CHANGED);
    },
    renew: () => writeNote(database, DESCRIBED, randomUUID()),
  };
}
