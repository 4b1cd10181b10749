import { statfsSync } from 'node:fs';

/** The bytes that are free for this user on the disk of a folder; null if they cannot be read. */
export function freeBytesOf(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
