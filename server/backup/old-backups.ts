import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The names that `backupStore` gives in a folder, and gave before it compressed. They sort by time. */
const NAME = /^skylark-\d{4}-\d{2}-\d{2}T\d{6}Z\.(?:sqlite(?:\.gz)?|dump)$/;

/** The paths of all but the newest `keep` backups in a folder. */
export function oldBackups(folder: string, keep: number): string[] {
  return backupsIn(folder)
    .slice(0, -keep)
    .map((name) => join(folder, name));
}

/** Removes backups, with the checksum files of those that earlier versions made. */
export function removeBackups(paths: readonly string[]): void {
  for (const path of paths) for (const ending of ['', '.sha256']) rmSync(path + ending, { force: true });
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
