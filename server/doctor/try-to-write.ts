import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes and removes a small file in a folder. Throws if it cannot. */
export function tryToWrite(folder: string): void {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'x', { flag: 'wx' });
  } finally {
    // Even on a full disk, the file is created without its content.
    rmSync(probe, { force: true });
  }
}
