import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checksumPath } from './checksum-file.ts';

/** The names that `backupStore` gives in a folder. They sort by time. */
const NAME = /^skylark-\d{4}-\d{2}-\d{2}T\d{6}Z\.sqlite$/;

/** The paths of all but the newest `keep` backups in a folder. */
export function oldBackups(folder: string, keep: number): string[] {
  return backupsIn(folder)
    .slice(0, -keep)
    .map((name) => join(folder, name));
}

/** Removes backups with their checksum files. */
export function removeBackups(paths: readonly string[]): void {
  for (const path of paths) {
    rmSync(path, { force: true });
    rmSync(checksumPath(path), { force: true });
  }
}

/** The backup at a path: that file, or the newest backup in that folder; null if the folder has none. */
export function backupAt(path: string): string | null {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path;
  const newest = backupsIn(path).at(-1);
  return newest === undefined ? null : join(path, newest);
}

function backupsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted();
}
