import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { sha256OfFile } from '../lib/sha256-of-file.ts';
import { databasePath } from '../storage/open/database.ts';
import { checkStoreFile } from './check-store-file.ts';
import { checksumPath, checksumText } from './checksum-file.ts';
import { sizeFault } from './size-fault.ts';

export type Progress = (done: number, of: number) => void;

type BackupResult =
  | { kind: 'written'; file: string; bytes: number; offers: number }
  | { kind: 'refused'; message: string };

/** Copies all pages in one step and so in one read transaction, which makes the backup a snapshot. */
const EVERY_PAGE = 2 ** 31 - 1;

const PROGRESS_EVERY_MS = 100;

/**
 * Backs up the embedded store to a single file that only its owner may read, while servers and imports run.
 * `target` is a new file, or a folder for a file named after `now`. The file gets its final name only once it
 * has been checked and its SHA-256 file exists.
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
  if (existsSync(file)) return refused(alreadyExists(file));
  const partial = `${file}.partial-${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(partial, 'wx', 0o600));
  } catch (error) {
    return refused(`${file} cannot be written: ${errorMessage(error)}.`);
  }
  try {
    await copyPages(source, partial, onProgress);
    const descriptor = openSync(partial, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    const fault = sizeFault(partial);
    const checked =
      fault === null ? await checkStoreFile(partial) : ({ kind: 'refused', message: fault } as const);
    if (checked.kind === 'refused') {
      return refused(
        `The backup failed its check and was deleted: ${checked.message}. Check the store with ${installedCommand('doctor')}.`,
      );
    }
    const checksum = checksumPath(partial);
    writeFileSync(checksum, checksumText(file, await sha256OfFile(partial)), {
      flag: 'wx',
      mode: 0o600,
      flush: true,
    });
    // Another backup may have taken the name in the meantime.
    if (existsSync(file)) return refused(alreadyExists(file));
    // May replace a checksum file that is left from a deleted backup.
    renameSync(checksum, checksumPath(file));
    renameSync(partial, file);
    return { kind: 'written', file, bytes: statSync(file).size, offers: checked.offers };
  } catch (error) {
    return refused(`The backup could not be written: ${errorMessage(error)}.`);
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(partial + ending, { force: true });
    rmSync(checksumPath(partial), { force: true });
  }
}

async function copyPages(source: string, partial: string, onProgress: Progress): Promise<void> {
  const database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
  const size = statSync(source).size;
  // The copy may be larger than the source, because it includes the journal.
  const progressTimer = setInterval(
    () => onProgress(Math.min(size - 1, statSync(partial).size), size),
    PROGRESS_EVERY_MS,
  );
  try {
    await backup(database, partial, { rate: EVERY_PAGE });
    onProgress(size, size);
  } finally {
    clearInterval(progressTimer);
    database.close();
  }
  // A backup should be one file, but WAL mode needs a second one.
  const copy = new DatabaseSync(partial);
  copy.exec('pragma journal_mode = delete');
  copy.close();
}

function fileFor(target: string, now: number): string {
  const isFolder =
    /[\\/]$/.test(target) || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return resolve(target);
  const moment = new Date(now).toISOString().replace(/:|\.\d+/g, '');
  return resolve(join(target, `skylark-${moment}.sqlite`));
}

function alreadyExists(file: string): string {
  return `${file} already exists. Name another file, or a folder.`;
}

function refused(message: string): BackupResult {
  return { kind: 'refused', message };
}
