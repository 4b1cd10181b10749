import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a small file into a folder and removes it. Throws if it cannot. */
export function tryToWrite(folder: string): void {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'x', { flag: 'wx' });
  } finally {
    // On a full disk the file is created, but not its content.
    rmSync(probe, { force: true });
  }
}
