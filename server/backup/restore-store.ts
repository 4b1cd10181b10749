import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../lib/error-message.ts';
import { databasePath, openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import type { Progress } from './backup-store.ts';
import { checkStoreFile } from './check-store-file.ts';

export type RestoreResult =
  | { kind: 'restored'; offers: number; hasReplaced: boolean }
  | { kind: 'refused'; message: string };

const IN_USE =
  'A server, an import or another command has the store open: stop it first. Nothing was changed.';

/**
 * Puts a backup in the place of a data folder's store. The backup is copied and checked first; then the old store
 * gives way to it in one step, and is kept until the new one has been opened. Nothing happens while anybody has the
 * old one open.
 */
export async function restoreStore(
  file: string,
  dataDir: string,
  onProgress: Progress,
): Promise<RestoreResult> {
  const store = databasePath(dataDir);
  const own = `${store}.restoring-${process.pid}`;
  const old = `${store}.before-restore-${process.pid}`;
  if (!existsSync(file)) return refused(`There is no ${file}.`);
  if (resolve(file) === resolve(store)) return refused(`${file} is the store itself.`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    await copy(file, own, onProgress);
    const checked = checkStoreFile(own);
    if (checked.kind === 'refused') return refused(`${file} cannot be restored: ${checked.message}.`);
    const hasReplaced = existsSync(store);
    if (hasReplaced) {
      const holder = lockExclusively(store);
      if (holder === 'in use') return refused(IN_USE);
      try {
        linkSync(store, old);
        // Now and then a store that is damaged leaves a journal, which must not be read into the new one.
        for (const ending of ['-wal', '-shm']) rmSync(store + ending, { force: true });
        renameSync(own, store);
      } finally {
        holder?.close();
      }
    } else {
      renameSync(own, store);
    }
    return openOrRollBack(dataDir, old, { kind: 'restored', offers: checked.offers, hasReplaced });
  } catch (error) {
    return refused(`The restore failed: ${errorMessage(error)}.`);
  } finally {
    rmSync(own, { force: true });
  }
}

function openOrRollBack(dataDir: string, old: string, result: RestoreResult): RestoreResult {
  try {
    openDatabase(embeddedStore(dataDir)).close();
    rmSync(old, { force: true });
    return result;
  } catch (error) {
    if (existsSync(old)) {
      for (const ending of ['-wal', '-shm']) rmSync(databasePath(dataDir) + ending, { force: true });
      renameSync(old, databasePath(dataDir));
    }
    return refused(`The restored store cannot be opened, and the old one is back: ${errorMessage(error)}.`);
  }
}

/**
 * Holds a store so that nobody else can open it until it is closed; null for one that is too damaged to be held,
 * which nobody can be using.
 */
function lockExclusively(store: string): DatabaseSync | 'in use' | null {
  const database = new DatabaseSync(store, { timeout: 1_000 });
  try {
    // Leaving the journal needs every other connection gone; it also writes what stands in it into the store.
    database.exec('pragma journal_mode = delete; pragma locking_mode = exclusive; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    // SQLite's own codes: 5 is busy, 6 locked.
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    return code === 5 || code === 6 ? 'in use' : null;
  }
}

async function copy(from: string, to: string, onProgress: Progress): Promise<void> {
  const size = statSync(from).size;
  let done = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      onProgress(done, size);
      next(null, chunk);
    },
  });
  closeSync(openSync(to, 'wx', 0o600));
  await pipeline(createReadStream(from), counted, createWriteStream(to, { flush: true }));
}

function refused(message: string): RestoreResult {
  return { kind: 'refused', message };
}
