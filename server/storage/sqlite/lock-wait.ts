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

/** Milliseconds between two attempts to take the lock. */
const ATTEMPT_EVERY = 1;

/**
 * Somebody waits: a large import holds the only write lock for long, and a thread that waits for it does nothing else. So
 * those who come behind a wait that was in vain do not each begin another.
 */
export function takeLockInTime(connection: DatabaseSync, { first, again }: LockWait): TakeLock {
  let isHeld = false;
  return (take) => {
    try {
      const result = takeLockWithin(connection, isHeld ? again : first, take);
      isHeld = false;
      return result;
    } catch (error) {
      if (error instanceof StoreUnavailable) isHeld = true;
      throw error;
    }
  };
}

/**
 * Attempts every millisecond to take the lock, for so many milliseconds, and blocks the thread meanwhile. SQLite itself
 * sleeps up to a tenth of a second between two attempts: beside a connection that writes one transaction after the other, it
 * would hardly ever find the lock free.
 */
export function takeLockWithin<T>(connection: DatabaseSync, ms: number, take: () => T): T {
  const giveUpAt = performance.now() + ms;
  return withoutWaiting(connection, () => {
    for (;;) {
      try {
        return take();
      } catch (cause) {
        if (!isStoreLocked(cause)) throw cause;
        if (performance.now() > giveUpAt) throw new StoreUnavailable({ cause });
        sleep(ATTEMPT_EVERY);
      }
    }
  });
}

/** Does work that fails at once where SQLite would wait for a lock. */
export function withoutWaiting<T>(connection: DatabaseSync, work: () => T): T {
  const timeout = Number(connection.prepare('pragma busy_timeout').get()?.timeout);
  connection.exec('pragma busy_timeout = 0');
  try {
    return work();
  } finally {
    connection.exec(`pragma busy_timeout = ${timeout}`);
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms);
}
