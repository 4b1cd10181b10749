import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { isStoreLocked } from '../store-locked.ts';

/** How long a connection waits for the write lock, in milliseconds. */
export interface LockWait {
  first: number;
  /** After a wait that was in vain, until the lock has been had again. */
  again: number;
}

/** Runs what takes the write lock of a connection. Throws StoreUnavailable if another one holds it for too long. */
export type TakeLock = <T>(take: () => T) => T;

/**
 * Somebody waits: a large import holds the only write lock for long, and a thread that waits for it does nothing else. So
 * those who come behind a wait that was in vain do not each begin another.
 */
export function takeLockInTime(connection: DatabaseSync, { first, again }: LockWait): TakeLock {
  let isHeld = false;

  function note(held: boolean): void {
    if (held === isHeld) return;
    isHeld = held;
    connection.exec(`pragma busy_timeout = ${held ? again : first}`);
  }

  return (take) => {
    try {
      const result = take();
      note(false);
      return result;
    } catch (cause) {
      if (!isStoreLocked(cause)) throw cause;
      note(true);
      throw new StoreUnavailable({ cause });
    }
  };
}
