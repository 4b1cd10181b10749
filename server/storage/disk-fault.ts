import { errorCode } from '../lib/error-message.ts';

/** Why a disk does not take what is written to it. */
export type DiskFault = 'full' | 'not writable' | 'failing';

/** SQLite's primary result codes for a disk that cannot be written, fails, is full, or is not there. */
const OF_SQLITE: ReadonlyMap<number, DiskFault> = new Map([
  [8, 'not writable'],
  [10, 'failing'],
  [13, 'full'],
  [14, 'not writable'],
]);

const OF_SYSTEM: ReadonlyMap<unknown, DiskFault> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'not writable'],
  ['EACCES', 'not writable'],
  ['EPERM', 'not writable'],
  ['EIO', 'failing'],
]);

/** Whether an error is SQLite's about the disk: nothing was written, and a retry may succeed. */
export function isDiskFault(error: unknown): boolean {
  return sqliteFault(error) !== null;
}

/** What an error of SQLite or of the file system says about the disk; null if it is about something else. */
export function diskFaultOf(error: unknown): DiskFault | null {
  return sqliteFault(error) ?? OF_SYSTEM.get(errorCode(error)) ?? null;
}

function sqliteFault(error: unknown): DiskFault | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return OF_SQLITE.get(Number(error.errcode) & 0xff) ?? null;
}
