import { statfsSync } from 'node:fs';

/** Bytes. With less, a disk counts as full: SQLite has no room for the first bytes of a journal. */
export const NO_ROOM = 1_000_000;

/** The bytes that are free for this user on the disk of a folder. Throws if the system does not tell. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The same; null if the system does not tell. */
export function knownFreeBytes(folder: string, freeBytes: typeof freeBytesOf = freeBytesOf): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}
