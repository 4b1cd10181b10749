import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorMessage } from '../lib/error-message.ts';
import type { Progress } from './backup-store.ts';
import { restoreStore } from './restore-store.ts';

/** Restores a backup into a temporary folder beside it, opens the store, and removes both. */
export async function tryRestore(file: string, onProgress: Progress): ReturnType<typeof restoreStore> {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(dirname(file), '.skylark-restore-'));
    return await restoreStore(file, folder, onProgress);
  } catch (error) {
    return { kind: 'refused', message: `${file} cannot be tested: ${errorMessage(error)}.` };
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}
