import { statfsSync } from 'node:fs';

/** The free bytes for this user on a folder's disk. Throws if the system does not report them. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** As `freeBytesOf`, but null if the system does not report them. */
export function knownFreeBytes(folder: string, freeBytes: typeof freeBytesOf = freeBytesOf): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}
