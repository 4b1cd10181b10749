import { statfsSync } from 'node:fs';

/** Below this, a disk counts as full: SQLite cannot begin a journal. */
export const NO_ROOM = 1_000_000;

/** Free bytes for this user on a folder's disk. Throws if the system does not say. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The same; null if the system does not say. */
export function knownFreeBytes(folder: string, freeBytes: typeof freeBytesOf = freeBytesOf): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}
