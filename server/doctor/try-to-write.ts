import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a letter into a folder and removes it again. Throws where that cannot be done. */
export function tryToWrite(folder: string): void {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'x', { flag: 'wx' });
  } finally {
    // A full disk takes the name and not the letter.
    rmSync(probe, { force: true });
  }
}
