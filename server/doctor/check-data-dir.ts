import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ALERTS_KEY_FILE } from '../alerts/records/alert-keys.ts';
import { errorCode, errorMessage } from '../lib/error-message.ts';
import { TOKEN_KEY_FILE } from '../package-search/token-key.ts';
import { databasePath } from '../storage/open/database.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Less than this, in bytes, and a busy day's journal may not fit. */
const LOW_SPACE = 2_000_000_000;
const CRITICAL_SPACE = 200_000_000;

const MAKE_ROOM = 'Make room, or move DATA_DIR to a larger disk: a full one takes no sign-up and no import.';

/** The data folder: whether it can be written, who else may look into it, and how much room is left. */
export function checkDataDir(environment: DoctorEnvironment, dataDir: string): Finding[] {
  const there = nearestExisting(resolve(dataDir));
  const writing = checkWritable(environment, there, dataDir);
  const room = checkFreeSpace(environment.freeBytes(there), dataDir);
  const modes = existsSync(dataDir) ? checkFileModes(dataDir) : [];
  return [writing, ...(writing.level === 'bad' ? [] : [room, ...modes])];
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function checkWritable(environment: DoctorEnvironment, there: string, dataDir: string): Finding {
  try {
    environment.tryToWrite(there);
    return ok(
      existsSync(dataDir) ? `${dataDir} can be written to.` : `${dataDir} will be made at the first start.`,
    );
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      return bad(`There is no room left for ${dataDir}: ${errorMessage(error)}.`, MAKE_ROOM);
    }
    return bad(
      `DATA_DIR is ${dataDir}, and ${there} cannot be written to: ${errorMessage(error)}.`,
      'Name another folder in DATA_DIR, or give this one to the user that runs Skylark.',
    );
  }
}

function checkFreeSpace(bytes: number, dataDir: string): Finding {
  const free = `${(bytes / 1e9).toFixed(1)} GB are free for ${dataDir}.`;
  if (bytes < CRITICAL_SPACE) return bad(`Only ${free}`, MAKE_ROOM);
  return bytes < LOW_SPACE ? warn(`Only ${free}`, MAKE_ROOM) : ok(free);
}

function checkFileModes(dataDir: string): Finding[] {
  // Windows has no such modes.
  if (process.platform === 'win32') return [];
  const mode = (path: string) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  const findings: Finding[] = [];
  if ((mode(dataDir) & 0o022) !== 0) {
    findings.push(warn(`Others on this machine may write into ${dataDir}.`, `Run chmod 700 ${dataDir}.`));
  }
  for (const key of [ALERTS_KEY_FILE, TOKEN_KEY_FILE]) {
    const path = join(dataDir, key);
    if ((mode(path) & 0o077) === 0) continue;
    findings.push(
      bad(
        `Others on this machine may read the key ${path}.`,
        `Run chmod 600 ${path}${key === ALERTS_KEY_FILE ? '; whoever read it can read every number in a copy of the store' : ''}.`,
      ),
    );
  }
  if ((mode(databasePath(dataDir)) & 0o002) !== 0) {
    findings.push(
      warn('Anybody on this machine may write to the store.', `Run chmod 600 ${databasePath(dataDir)}.`),
    );
  }
  return findings;
}
