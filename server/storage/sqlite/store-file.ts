import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';

const OWNER_ONLY = 0o600;

/** SQLite gives its journal the mode of the store's file when it creates one. */
const FILES = ['', '-wal', '-shm'];

/**
 * Creates a store's file if it is missing, and lets only its owner read it and its journal. It never opens a file that
 * is there: closing it would release all locks that this process's SQLite connections hold on it
 * (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
export function protectStoreFile(path: string): void {
  createIfMissing(path);
  for (const file of FILES.map((ending) => path + ending)) {
    if (!existsSync(file) || (statSync(file).mode & 0o077) === 0) continue;
    try {
      chmodSync(file, OWNER_ONLY);
    } catch {
      // Only the owner of a file may. `npm run doctor` reports what others can read.
    }
  }
}

/**
 * Throws the system's error if this user may not write to a store's files or add one beside them. SQLite would open such a
 * store for reading only, and each write would fail.
 */
export function requireWritable(path: string): void {
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
  for (const file of FILES.map((ending) => path + ending)) {
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  }
}

/**
 * A check that the files of a connection that has read its store are still at their paths; it throws `StoreUnavailable`
 * if not. SQLite would go on writing to a file that has been removed or replaced, and everything written would be lost.
 * An open connection keeps its journal: SQLite removes it only with the last of them.
 */
export function requireFileAt(path: string): () => void {
  const open = FILES.map((ending) => ({ file: path + ending, is: identityOf(path + ending) }));
  return () => {
    for (const one of open) {
      const now = identityOf(one.file);
      // SQLite creates a journal when it first needs one.
      one.is ??= now;
      if (one.is === now) continue;
      throw new StoreUnavailable({
        cause: new Error(`${one.file} was removed or replaced while it was open`),
      });
    }
  };
}

/** What a file is, whatever it contains. Null: there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}

function createIfMissing(path: string): void {
  try {
    closeSync(openSync(path, 'ax', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
