import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';

const OWNER_ONLY = 0o600;

/** The store's file and its journal, which SQLite creates with the same permissions. */
const FILES = ['', '-wal', '-shm'];

/**
 * Creates a missing store file, and makes it and its journal readable only by the owner. Never opens an
 * existing file: closing it would release SQLite's locks (https://www.sqlite.org/howtocorrupt.html, section
 * 2.2).
 */
export function protectStoreFile(path: string): void {
  createIfMissing(path);
  for (const file of FILES.map((ending) => path + ending)) {
    if (!existsSync(file) || (statSync(file).mode & 0o077) === 0) continue;
    try {
      chmodSync(file, OWNER_ONLY);
    } catch {
      // Only a file's owner may change its permissions. `npm run doctor` reports files that others can read.
    }
  }
}

/** Throws if this user may not write to the folder: SQLite would silently open the store read-only. */
export function requireWritable(path: string): void {
  accessSync(dirname(path), constants.W_OK | constants.X_OK);
  for (const file of FILES.map((ending) => path + ending)) {
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  }
}

/**
 * Returns a check that throws `StoreUnavailable` if the connection's files were removed or replaced, because
 * SQLite would continue to write to the old ones.
 */
export function requireFileAt(path: string): () => void {
  const open = FILES.map((ending) => ({ file: path + ending, is: identityOf(path + ending) }));
  return () => {
    for (const one of open) {
      const now = identityOf(one.file);
      // SQLite creates a journal on first use.
      one.is ??= now;
      if (one.is === now) continue;
      throw new StoreUnavailable({
        cause: new Error(`${one.file} was removed or replaced while it was open`),
      });
    }
  };
}

/** A file's identity, regardless of its contents; null if it is missing. */
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
