import { createHash } from 'node:crypto';
import {
  chownSync,
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../lib/error-message.ts';
import { databasePath, openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import type { Progress } from './backup-store.ts';
import { checkStoreFile } from './check-store-file.ts';
import { checksumPath, readChecksum } from './checksum-file.ts';
import { sizeFault } from './size-fault.ts';

type RestoreResult =
  /** `isCompared`: there was a SHA-256 file, and it matches. */
  | { kind: 'restored'; offers: number; hasReplaced: boolean; isCompared: boolean }
  | { kind: 'refused'; message: string };

const IN_USE =
  'A server, an import or another command has the store open. Stop it first. Nothing was changed.';

const COPY_AGAIN = ' Copy it and its .sha256 again from where they were written, or restore another backup.';

/**
 * Replaces a data folder's store with a backup: checks a copy, then renames it into place. Keeps the old
 * store until the new one has opened. Refuses while another process has the old store open.
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
    const fault = sizeFault(file);
    if (fault !== null) return refused(cannotBeRestored(file, fault, COPY_AGAIN));
    const checksum = readChecksum(file);
    if (checksum.kind === 'unreadable') {
      return refused(cannotBeRestored(file, `there is no SHA-256 in ${checksumPath(file)}`, COPY_AGAIN));
    }
    const sha256 = await copy(file, own, onProgress);
    giveToOwner(own, dataDir);
    if (checksum.kind === 'found' && checksum.sha256 !== sha256) {
      const words = `its bytes are not those of the backup, by the SHA-256 in ${checksumPath(file)}`;
      return refused(cannotBeRestored(file, words, COPY_AGAIN));
    }
    const checked = await checkStoreFile(own);
    if (checked.kind === 'refused') return refused(cannotBeRestored(file, checked.message));
    const hasReplaced = existsSync(store);
    if (hasReplaced) {
      const holder = lockExclusively(store);
      if (holder === 'in use') return refused(IN_USE);
      try {
        linkSync(store, old);
        // A damaged store may leave a journal, which SQLite must not apply to the new one.
        for (const ending of ['-wal', '-shm']) rmSync(store + ending, { force: true });
        renameSync(own, store);
      } finally {
        holder?.close();
      }
    } else {
      renameSync(own, store);
    }
    return await openOrRollBack(dataDir, old, {
      kind: 'restored',
      offers: checked.offers,
      hasReplaced,
      isCompared: checksum.kind === 'found',
    });
  } catch (error) {
    return refused(`The restore failed: ${errorMessage(error)}.`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Restores a backup into a temporary folder beside it, opens the restored store, then removes the folder. */
export async function tryRestore(file: string, onProgress: Progress): Promise<RestoreResult> {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(dirname(file), '.skylark-restore-'));
    return await restoreStore(file, folder, onProgress);
  } catch (error) {
    return refused(`${file} cannot be tested: ${errorMessage(error)}.`);
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

async function openOrRollBack(dataDir: string, old: string, result: RestoreResult): Promise<RestoreResult> {
  try {
    await (await openDatabase(embeddedStore(dataDir))).close();
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

/** Opens a store, and locks it until it is closed. Null if it is too damaged to be locked. */
function lockExclusively(store: string): DatabaseSync | 'in use' | null {
  const database = new DatabaseSync(store, { timeout: 1_000 });
  try {
    // Leaving WAL mode checkpoints the journal. It fails while another connection is open.
    database.exec('pragma journal_mode = delete; pragma locking_mode = exclusive; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    // SQLite's SQLITE_BUSY and SQLITE_LOCKED.
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    return code === 5 || code === 6 ? 'in use' : null;
  }
}

/** Copies a file, and returns the SHA-256 of its bytes. */
async function copy(from: string, to: string, onProgress: Progress): Promise<string> {
  const hash = createHash('sha256');
  const size = statSync(from).size;
  let done = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      done += chunk.length;
      onProgress(done, size);
      next(null, chunk);
    },
  });
  closeSync(openSync(to, 'wx', 0o600));
  await pipeline(createReadStream(from), counted, createWriteStream(to, { flush: true }));
  return hash.digest('hex');
}

/** Gives the file to the store's owner, because root may restore a backup that only root can read. */
function giveToOwner(file: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(file, uid, gid);
}

function cannotBeRestored(file: string, why: string, remedy = ''): string {
  return `${file} cannot be restored: ${why}.${remedy} Nothing was changed.`;
}

function refused(message: string): RestoreResult {
  return { kind: 'refused', message };
}
