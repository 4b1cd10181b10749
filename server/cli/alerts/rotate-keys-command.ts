import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALERTS_KEY_FILE, parseSecret, replaceSecretFile } from '../../alerts/keys/alert-keys.ts';
import { rotateKeys as rotate } from '../../alerts/tables/rotate-keys.ts';
import { callersPath } from '../../lib/callers-path.ts';
import { isAgreed, type Operation } from './operation.ts';

/** `rotate-keys`: replaces the alerts' key, in the data folder or in `ALERTS_KEY`, while no server runs. */
export async function rotateKeys(operation: Operation) {
  const { store, config, address, secret, options, now, print, fail } = operation;
  const dataDir = config.secret === null && address.kind === 'embedded' ? address.dataDir : null;
  const named = options.to === null ? null : callersPath(options.to);
  const file = named ?? (dataDir === null ? null : join(dataDir, `${ALERTS_KEY_FILE}.next`));
  if (file === null)
    return fail('Name a file for the new key: rotate-keys --to new-alerts.key. Nothing has changed.');
  const isThere = existsSync(file);
  const next = isThere ? parseSecret(readFileSync(file, 'utf8').trim()) : randomBytes(32);
  if (next === null || Buffer.from(next).equals(secret))
    return fail(`${file} exists and is not a new key. Name another file. Nothing has changed.`);
  if (!(await isAgreed(operation, 'This ends the old key: only earlier backups can still use it.'))) return;
  // Written before the store changes, so that an interruption loses no key. A second run uses it again.
  if (!isThere)
    writeFileSync(file, `${Buffer.from(next).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  print(
    `${await rotate(store, secret, next, now)} records have moved to the new key; the old one no longer works.`,
  );
  if (dataDir === null || named !== null)
    return print(`The new key is in ${file}. Set ALERTS_KEY to it on every server, then start them.`);
  replaceSecretFile(dataDir, next);
  rmSync(file);
  print('alerts.key is the new key. Back it up, then start the server.');
}
