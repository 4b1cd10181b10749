/** PostgreSQL's code for a lock timeout. */
const LOCK_NOT_AVAILABLE = '55P03';

/** SQLite's primary result codes for a lock held by another connection, or by this one. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** Whether a statement failed because another connection held a lock for too long. */
export function isStoreLocked(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === LOCK_NOT_AVAILABLE) return true;
    if (!('errcode' in cause) || typeof cause.errcode !== 'number') continue;
    if ([SQLITE_BUSY, SQLITE_LOCKED].includes(cause.errcode & 0xff)) return true;
  }
  return false;
}
