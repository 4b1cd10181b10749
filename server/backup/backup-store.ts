import { execFile } from 'node:child_process';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { errorCode, errorMessage } from '../lib/error-message.ts';
import { installedCommand } from '../lib/installed-command.ts';
import { databasePath } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { checkStoreFile } from './check-store-file.ts';

type BackupResult =
  /** `checked`: what was checked; null: pg_dump wrote the file. */
  | { kind: 'written'; file: string; bytes: number; checked: { offers: number } | null }
  | { kind: 'refused'; message: string };

/** Copies all pages in one step and so in one read transaction, which makes the backup a snapshot. */
const EVERY_PAGE = 2 ** 31 - 1;

/**
 * Backs up a store to a single file that only its owner may read, while servers and imports run: the embedded
 * store as a checked copy in gzip, PostgreSQL with pg_dump. `target` is a new file, or a folder for a file named
 * after `now`. The file gets its name only once it is complete.
 */
export async function backupStore(store: StoreAddress, target: string, now: number): Promise<BackupResult> {
  if (store.kind === 'embedded' && !existsSync(databasePath(store.dataDir)))
    return refused(`There is no store in ${store.dataDir}. Check DATA_DIR.`);
  const file = fileFor(target, store.kind === 'embedded' ? 'sqlite.gz' : 'dump', now);
  if (existsSync(file)) return refused(`${file} already exists. Name another file, or a folder.`);
  const partial = `${file}.partial-${process.pid}`;
  const copy = `${partial}.copy`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    for (const own of [partial, copy]) closeSync(openSync(own, 'wx', 0o600));
  } catch (error) {
    return refused(`${file} cannot be written: ${errorMessage(error)}.`);
  }
  try {
    let checked: { offers: number } | null = null;
    if (store.kind === 'embedded') {
      await copyPages(databasePath(store.dataDir), copy);
      const found = await checkStoreFile(copy);
      if (found.kind === 'refused')
        return refused(
          `The backup failed its check and was deleted: ${found.message}. Check the store with ${installedCommand('doctor')}.`,
        );
      checked = found;
      const compressed = createWriteStream(partial, { flush: true });
      await pipeline(createReadStream(copy), createGzip(), compressed);
    } else await runPostgresTool('pg_dump', ['--format=custom', `--file=${partial}`], store.url);
    renameSync(partial, file);
    return { kind: 'written', file, bytes: statSync(file).size, checked };
  } catch (error) {
    return refused(`The backup could not be written: ${errorMessage(error)}.`);
  } finally {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(copy + ending, { force: true });
    rmSync(partial, { force: true });
  }
}

/** Runs one of PostgreSQL's client programs; with `url`, on that database. Keeps its password out of the arguments. */
export async function runPostgresTool(
  program: 'pg_dump' | 'pg_restore',
  words: readonly string[],
  url: string | null,
): Promise<void> {
  const database = url === null ? null : new URL(url);
  const password = decodeURIComponent(database?.password ?? '');
  if (database !== null) database.password = '';
  try {
    await promisify(execFile)(program, database === null ? words : [...words, `--dbname=${database.href}`], {
      env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT')
      throw new Error(
        `${program} is not on PATH: install PostgreSQL's client programs in the server's version or a newer one`,
        { cause: error },
      );
    throw error;
  }
}

async function copyPages(source: string, to: string): Promise<void> {
  using database = new DatabaseSync(source, { readOnly: true, timeout: 10_000 });
  await backup(database, to, { rate: EVERY_PAGE });
  // A backup should be one file, but WAL mode needs a second one.
  using copy = new DatabaseSync(to);
  copy.exec('pragma journal_mode = delete');
}

function fileFor(target: string, ending: string, now: number): string {
  const isFolder =
    /[\\/]$/.test(target) || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return resolve(target);
  const moment = new Date(now).toISOString().replace(/:|\.\d+/g, '');
  return resolve(join(target, `skylark-${moment}.${ending}`));
}

function refused(message: string): BackupResult {
  return { kind: 'refused', message };
}
