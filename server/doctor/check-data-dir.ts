import { existsSync, lstatSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ALERTS_KEY_FILE } from '../alerts/keys/alert-keys.ts';
import { VAPID_KEY_FILE } from '../alerts/keys/vapid-key.ts';
import { errorCode, errorMessage } from '../lib/error-message.ts';
import { TOKEN_KEY_FILE } from '../package-search/tokens/token-key.ts';
import { databasePath } from '../storage/open/database.ts';
import { requireWritable } from '../storage/sqlite/store-file.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** In bytes. Below LOW_SPACE, there may not be enough space for a busy day's journal. */
const LOW_SPACE = 2_000_000_000;
const CRITICAL_SPACE = 200_000_000;

const MAKE_ROOM =
  'Free some space, or move DATA_DIR to a larger disk: on a full one, sign-ups and imports fail.';

/** Checks that the data folder is writable, private and has free space. */
export function checkDataDir(environment: DoctorEnvironment, dataDir: string): Finding[] {
  const existing = nearestExisting(resolve(dataDir));
  const writing = checkWritable(environment, existing, dataDir);
  const room = checkFreeSpace(environment.freeBytes(existing), dataDir);
  if (writing.level === 'bad') return [writing];
  const files = existsSync(dataDir) ? [...checkFileModes(dataDir), ...checkOwners(dataDir)] : [];
  return [writing, room, ...files];
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function checkWritable(environment: DoctorEnvironment, existing: string, dataDir: string): Finding {
  try {
    environment.tryToWrite(existing);
    if (existsSync(dataDir)) requireWritable(databasePath(dataDir));
    return ok(
      existsSync(dataDir) ? `${dataDir} is writable.` : `${dataDir} will be created at the first start.`,
    );
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      return bad(`The disk of ${dataDir} is full: ${errorMessage(error)}.`, MAKE_ROOM);
    }
    return bad(
      `DATA_DIR is ${dataDir}, but ${existing} is not writable: ${errorMessage(error)}.`,
      'Set DATA_DIR to another folder, or make the user that runs Skylark the owner of it and its files.',
    );
  }
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

function checkFreeSpace(bytes: number, dataDir: string): Finding {
  const free = `${(bytes / 1e9).toFixed(1)} GB is free for ${dataDir}.`;
  if (bytes < CRITICAL_SPACE) return bad(`Only ${free}`, MAKE_ROOM);
  return bytes < LOW_SPACE ? warn(`Only ${free}`, MAKE_ROOM) : ok(free);
}

function checkFileModes(dataDir: string): Finding[] {
  // Windows has no file modes to check.
  if (process.platform === 'win32') return [];
  const mode = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  const findings: Finding[] = [];
  if ((mode(dataDir) & 0o022) !== 0) {
    findings.push(warn(`Other users of this machine may write to ${dataDir}.`, `Run chmod 700 ${dataDir}.`));
  }
  for (const key of [ALERTS_KEY_FILE, TOKEN_KEY_FILE, VAPID_KEY_FILE]) {
    const path = join(dataDir, key);
    if ((mode(path) & 0o077) === 0) continue;
    findings.push(
      bad(
        `Other users of this machine may read the key ${path}.`,
        `Run chmod 600 ${path}${key === ALERTS_KEY_FILE ? '; with it, every phone number in a copy of the store can be read' : ''}.`,
      ),
    );
  }
  if ((mode(databasePath(dataDir)) & 0o077) !== 0) {
    findings.push(
      warn(
        'Other users of this machine may read the store.',
        `Run chmod 600 ${databasePath(dataDir)}, or start Skylark as the file's owner, which does the same.`,
      ),
    );
  }
  return findings;
}

/** The operator's own files, which the server only reads: the list of providers, mappings. */
const OWN_FILES = /^[^/]+\.json$/;

/** Finds files of another user, such as root, which the server may be unable to write or delete. */
function checkOwners(dataDir: string): Finding[] {
  const { uid, gid } = statSync(dataDir);
  const others = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      !OWN_FILES.test(name) &&
      (lstatSync(join(dataDir, name), { throwIfNoEntry: false })?.uid ?? uid) !== uid,
  );
  const [first] = others;
  if (first === undefined) return [];
  const many = others.length === 1 ? '' : ` and ${others.length - 1} more`;
  return [
    bad(
      `${join(dataDir, first)}${many} ${others.length === 1 ? 'belongs' : 'belong'} to a different user from ${dataDir}: the server may be unable to write there.`,
      `Run chown -R ${uid}:${gid} ${dataDir}.`,
    ),
  ];
}
