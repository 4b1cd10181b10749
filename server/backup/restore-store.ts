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

type RestoreResult =
  | { kind: 'restored'; offers: number; hasReplaced: boolean }
  | { kind: 'refused'; message: string };

const IN_USE =
  'A server, an import or another command has the store open. Stop it first. Nothing was changed.';

/**
 * Replaces a data folder's store by a backup. The backup is copied and checked first, then swapped in with one rename.
 * The old store is kept until the new one has been opened. Refuses while another process has the old store open.
 */
export async function restoreStore(
  file: string,
  dataDir: string,
  onProgress: Progress,
): Promise<RestoreResult> {
  const store = databasePath(dataDir);
  const own = `${store}.restoring-${process.pid}`;
  const old = `${store}.before-restore-${process.pid}`;
  if (!existsSync(file)) return refused(`${file} does not exist.`);
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
        // A damaged store may leave a journal, which must not be replayed into the new one.
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
    return refused(
      `The restored store cannot be opened. The old one is back in place: ${errorMessage(error)}.`,
    );
  }
}

/**
 * Opens a store with an exclusive lock, which lasts until it is closed. Returns null if the store is too damaged to be
 * locked, and so cannot be in use.
 */
function lockExclusively(store: string): DatabaseSync | 'in use' | null {
  const database = new DatabaseSync(store, { timeout: 1_000 });
  try {
    // Leaving WAL mode requires that no other connection is open, and checkpoints the journal.
    database.exec('pragma journal_mode = delete; pragma locking_mode = exclusive; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    // SQLite result codes: 5 is busy, 6 is locked.
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
