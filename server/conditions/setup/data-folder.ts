import { existsSync, lstatSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ALERTS_KEY_FILE } from '../../alerts/keys/alert-keys.ts';
import { VAPID_KEY_FILE } from '../../alerts/keys/vapid-key.ts';
import { errorCode, errorMessage } from '../../lib/error-message.ts';
import { TOKEN_KEY_FILE } from '../../package-search/tokens/token-key.ts';
import { databasePath } from '../../storage/open/database.ts';
import { requireWritable } from '../../storage/sqlite/store-file.ts';
import type { Condition, Fault } from '../condition.ts';
import { DISK_FULL, MIN_FREE_BYTES } from '../disk-full.ts';
import type { DoctorView } from './doctor-view.ts';

/** In bytes. With less, there may not be enough space for a busy day's journal. */
const LOW_SPACE = 2_000_000_000;

/** The operator's own files, which the server only reads: the list of providers, mappings. */
const OWN_FILES = /^[^/]+\.json$/;

export const FOLDER_NOT_WRITABLE: Condition<DoctorView> = {
  id: 'folder',
  level: 'bad',
  sentence: 'DATA_DIR is $, which is not writable',
  remedy: 'Set DATA_DIR to another folder, or make the user that runs Skylark the owner of it and its files.',
  read({ feeds: { dataDir }, tryToWrite: attempt }) {
    try {
      attempt(nearestExisting(dataDir));
      if (!existsSync(dataDir)) return `${dataDir} will be created at the first start.`;
      requireWritable(databasePath(dataDir));
      return `${dataDir} is writable.`;
    } catch (error) {
      const { remedy } = DISK_FULL;
      const isFull = ['ENOSPC', 'EDQUOT'].includes(String(errorCode(error)));
      const fault = { subject: dataDir, detail: errorMessage(error) };
      return isFull ? { ...fault, sentence: 'The disk of $ is full', remedy } : fault;
    }
  },
};

export const DISK_LOW: Condition<DoctorView> = {
  id: 'disk low',
  level: 'warn',
  sentence: 'Less than 2 GB is free for DATA_DIR',
  remedy: DISK_FULL.remedy,
  read({ feeds: { dataDir }, freeBytes }) {
    const bytes = freeBytes(nearestExisting(dataDir));
    const free = `${(bytes / 1e9).toFixed(1)} GB is free for ${dataDir}`;
    return bytes >= LOW_SPACE ? `${free}.` : bytes >= MIN_FREE_BYTES && { sentence: `Only ${free}` };
  },
};

export const FILES_EXPOSED: Condition<DoctorView> = {
  id: 'files exposed',
  level: 'bad',
  sentence: 'Other users of this machine may read $',
  remedy: 'Run chmod 600 $',
  read({ feeds: { dataDir } }) {
    const isOpen = (path: string, bits: number) =>
      // Windows has no file modes to check.
      process.platform !== 'win32' && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & bits) !== 0;
    const [sentence, remedy] = ['Other users of this machine may write to $', 'Run chmod 700 $'];
    const files = [ALERTS_KEY_FILE, TOKEN_KEY_FILE, VAPID_KEY_FILE].map((name) => join(dataDir, name));
    return [
      ...(isOpen(dataDir, 0o022)
        ? [{ subject: dataDir, level: 'warn', sentence, remedy } satisfies Fault]
        : []),
      ...files.filter((path) => isOpen(path, 0o077)).map((subject) => ({ subject })),
      ...[databasePath(dataDir)]
        .filter((path) => isOpen(path, 0o077))
        .map((subject) => ({ subject, level: 'warn' }) satisfies Fault),
    ];
  },
};

/** The server may be unable to write or delete such files. */
export const FILES_OF_OTHERS: Condition<DoctorView> = {
  id: 'files of others',
  level: 'bad',
  sentence: '$ belongs to a different user from DATA_DIR',
  remedy: 'Give it to the user that runs Skylark.',
  read({ feeds: { dataDir } }) {
    const folder = statSync(dataDir, { throwIfNoEntry: false });
    if (folder?.isDirectory() !== true) return false;
    const { uid, gid } = folder;
    const ownerOf = (name: string) => lstatSync(join(dataDir, name), { throwIfNoEntry: false })?.uid ?? uid;
    const [first, ...more] = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
      (name) => !OWN_FILES.test(name) && ownerOf(name) !== uid,
    );
    const detail = more.length === 0 ? {} : { detail: `and ${more.length} more files` };
    const remedy = `Run chown -R ${uid}:${gid} ${dataDir}`;
    return first !== undefined && { subject: join(dataDir, first), ...detail, remedy };
  },
};

export function nearestExisting(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) || dirname(whole) === whole ? whole : nearestExisting(dirname(whole));
}

/** Writes and removes a small file in a folder. Throws if it cannot. */
export function tryToWrite(folder: string): void {
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, 'x', { flag: 'wx' });
  } finally {
    // Even on a full disk, the file is created without its content.
    rmSync(probe, { force: true });
  }
}
