import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { errorMessage } from '../lib/error-message.ts';
import { databasePath } from '../storage/open/database.ts';
import { checkStoreFile } from './check-store-file.ts';

/** Bytes done of bytes to do. */
export type Progress = (done: number, of: number) => void;

type BackupResult =
  | { kind: 'written'; file: string; bytes: number; offers: number }
  | { kind: 'refused'; message: string };

/** All pages in one step are copied in one read transaction, so the backup is a snapshot. */
const EVERY_PAGE = 2 ** 31 - 1;

const PROGRESS_EVERY_MS = 100;

/**
 * Writes the embedded store of a data folder into one file that only its owner may read, while servers and imports run.
 * `target` is a new file, or a folder for a file named after `now`. The file gets its name only once it has been
 * checked. It contains no keys.
 */
export async function backupStore(
  dataDir: string,
  target: string,
  now: number,
  onProgress: Progress,
): Promise<BackupResult> {
  const source = databasePath(dataDir);
  if (!existsSync(source)) return refused(`There is no store in ${dataDir}. Check DATA_DIR.`);
  const file = fileFor(target, now);
  if (existsSync(file)) return refused(`${file} already exists. Name another file, or a folder.`);
  const partial = `${file}.partial-${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    return refused(`${file} cannot be written: ${errorMessage(error)}.`);
  }
  try {
    await copyPages(source, partial, onProgress);
    const checked = checkStoreFile(partial);
    if (checked.kind === 'refused')
      return refused(`The backup is incomplete and was deleted: ${checked.message}.`);
    flush(partial);
    renameSync(partial, file);
    return { kind: 'written', file, bytes: statSync(file).size, offers: checked.offers };
  } catch (error) {
    return refused(`The backup could not be written: ${errorMessage(error)}.`);
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(partial + ending, { force: true });
  }
}

async function copyPages(source: string, partial: string, onProgress: Progress): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
  const size = statSync(source).size;
  const progressTimer = setInterval(
    () => onProgress(Math.min(size, statSync(partial).size), size),
    PROGRESS_EVERY_MS,
  );
  try {
    await backup(database, partial, { rate: EVERY_PAGE });
    onProgress(size, size);
  } finally {
    clearInterval(progressTimer);
    database.close();
  }
  // The copy is in WAL mode, which needs a second file.
  const copy = new DatabaseSync(partial);
  copy.exec('pragma journal_mode = delete');
  copy.close();
}

function fileFor(target: string, now: number): string {
  const isFolder =
    /[\\/]$/.test(target) || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return resolve(target);
  const moment = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '');
  return resolve(join(target, `skylark-${moment}.sqlite`));
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function refused(message: string): BackupResult {
  return { kind: 'refused', message };
}
