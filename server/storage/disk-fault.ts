import { errorCode } from '../lib/error-message.ts';

/** Why a write to the disk failed. */
export type DiskFault = 'full' | 'not writable' | 'failing';

/** SQLite's primary result codes for disk errors. */
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

/** Whether SQLite reports a disk error. Nothing was written then, and a retry may succeed. */
export function isDiskFault(error: unknown): boolean {
  return sqliteFault(error) !== null;
}

/** The disk fault behind an error of SQLite or of the file system; null for other errors. */
export function diskFaultOf(error: unknown): DiskFault | null {
  return sqliteFault(error) ?? OF_SYSTEM.get(errorCode(error)) ?? null;
}

function sqliteFault(error: unknown): DiskFault | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return OF_SQLITE.get(Number(error.errcode) & 0xff) ?? null;
}
