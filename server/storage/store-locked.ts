/** PostgreSQL's code for a lock that was waited for too long. */
const LOCK_NOT_AVAILABLE = '55P03';

/** SQLite's codes, in the lowest byte: another connection has the lock, or this one has it elsewhere. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** Whether what stands behind an error is that somebody else held a lock of the store for too long. */
export function isStoreLocked(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === LOCK_NOT_AVAILABLE) return true;
    if (!('errcode' in cause) || typeof cause.errcode !== 'number') continue;
    if ([SQLITE_BUSY, SQLITE_LOCKED].includes(cause.errcode & 0xff)) return true;
  }
  return false;
}
