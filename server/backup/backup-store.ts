import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { errorMessage } from '../lib/error-message.ts';
import { databasePath } from '../storage/open/database.ts';
import { checkStoreFile } from './check-store-file.ts';

/** Bytes done of bytes to do. */
export type Progress = (done: number, of: number) => void;

export type BackupResult =
  | { kind: 'written'; file: string; bytes: number; offers: number }
  | { kind: 'refused'; message: string };

/** All pages in one step: one reading transaction, so one moment of the store, however much is written meanwhile. */
const EVERY_PAGE = 2 ** 31 - 1;

const LOOK_EVERY_MS = 100;

/**
 * Writes the embedded store of a data folder into one file that only its owner may read, while servers and imports go
 * on. `target` is a file that is not there yet, or a folder for one named after `now`. It is whole or not there: it
 * gets its name when it has been checked. Keys are not in it.
 */
export async function backupStore(
  dataDir: string,
  target: string,
  now: number,
  onProgress: Progress,
): Promise<BackupResult> {
  const source = databasePath(dataDir);
  if (!existsSync(source)) return refused(`There is no store in ${dataDir}: is DATA_DIR right?`);
  const file = fileFor(target, now);
  if (existsSync(file)) return refused(`${file} is there already: name another file, or a folder.`);
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
      return refused(`The backup is not whole and was not kept: ${checked.message}.`);
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
  const looking = setInterval(() => onProgress(Math.min(size, statSync(partial).size), size), LOOK_EVERY_MS);
  try {
    await backup(database, partial, { rate: EVERY_PAGE });
    onProgress(size, size);
  } finally {
    clearInterval(looking);
    database.close();
  }
  // The copy speaks of a journal beside it, which a single file has none of.
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
