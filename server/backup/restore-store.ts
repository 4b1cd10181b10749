import {
  chownSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCode, errorMessage } from '../lib/error-message.ts';
import { sha256OfFile } from '../lib/sha256-of-file.ts';
import { databasePath, openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { runPostgresTool } from './backup-store.ts';
import { checkStoreFile } from './check-store-file.ts';

type RestoreResult =
  | { kind: 'restored'; offers: number; hasReplaced: boolean }
  | { kind: 'refused'; message: string };

const IN_USE =
  'A server, an import or another command has the store open. Stop it first. Nothing was changed.';

/**
 * Replaces a data folder's store with a backup: checks a copy, then renames it into place. Keeps the old
 * store until the new one has opened. Refuses while another process has the old store open.
 */
export async function restoreStore(file: string, dataDir: string): Promise<RestoreResult> {
  const store = databasePath(dataDir);
  const own = `${store}.restoring-${process.pid}`;
  const old = `${store}.before-restore-${process.pid}`;
  if (!existsSync(file)) return refused(`${file} does not exist.`);
  if (resolve(file) === resolve(store)) return refused(`${file} is the store itself.`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const damage = await copy(file, own);
    if (damage !== null)
      return refused(
        `${file} cannot be restored: ${damage}. Copy it again from where it was written, or restore another backup. Nothing was changed.`,
      );
    giveToOwner(own, dataDir);
    const checked = await checkStoreFile(own);
    if (checked.kind === 'refused')
      return refused(`${file} cannot be restored: ${checked.message}. Nothing was changed.`);
    const hasReplaced = existsSync(store);
    const holder = hasReplaced ? lockExclusively(store) : null;
    if (holder === 'in use') return refused(IN_USE);
    try {
      if (hasReplaced) linkSync(store, old);
      // A damaged or removed store may leave a journal, which SQLite must not apply to the new one.
      for (const ending of ['-wal', '-shm']) rmSync(store + ending, { force: true });
      renameSync(own, store);
    } finally {
      holder?.close();
    }
    return await openOrRollBack(dataDir, old, { kind: 'restored', offers: checked.offers, hasReplaced });
  } catch (error) {
    return refused(`The restore failed: ${errorMessage(error)}.`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Restores a backup into a temporary folder beside it, opens the restored store, then removes the folder. */
export async function tryRestore(file: string): Promise<RestoreResult> {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(dirname(file), '.skylark-restore-'));
    return await restoreStore(file, folder);
  } catch (error) {
    return refused(`${file} cannot be tested: ${errorMessage(error)}.`);
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads all of a backup of PostgreSQL, as a restore would. */
export async function readDump(
  file: string,
): Promise<{ kind: 'read' } | { kind: 'refused'; message: string }> {
  try {
    await runPostgresTool('pg_restore', ['--file=/dev/null', file], null);
    return { kind: 'read' };
  } catch (error) {
    return refused(`${file} cannot be restored: ${errorMessage(error)}.`);
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

/**
 * Copies a backup, decompressed. Returns what is wrong with it, or null. Backups of earlier versions are not compressed,
 * and have their SHA-256 in a file beside them.
 */
async function copy(from: string, to: string): Promise<string | null> {
  const head = await buffer(createReadStream(from, { end: 1 }));
  const isCompressed = head.equals(Buffer.from([0x1f, 0x8b]));
  const sums = `${from}.sha256`;
  if (!isCompressed && existsSync(sums) && !readFileSync(sums, 'utf8').includes(await sha256OfFile(from)))
    return `its bytes are not those of the backup, by ${sums}`;
  try {
    const file = createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(createReadStream(from), isCompressed ? createGunzip() : new PassThrough(), file);
    return null;
  } catch (error) {
    if (!String(errorCode(error)).startsWith('Z_')) throw error;
    return `it is damaged or cut off (${errorMessage(error)})`;
  }
}

/** Gives the file to the store's owner, because root may restore a backup that only root can read. */
function giveToOwner(file: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  chownSync(file, uid, gid);
}

function refused(message: string): { kind: 'refused'; message: string } {
  return { kind: 'refused', message };
}
