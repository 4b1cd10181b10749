import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes and removes a small file in a folder. Throws if it cannot. */
export function tryToWrite(folder: string): void {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'x', { flag: 'wx' });
  } finally {
    // A full disk still creates the file, but not its content.
    rmSync(probe, { force: true });
  }
}
