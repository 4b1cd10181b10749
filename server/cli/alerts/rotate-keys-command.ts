import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { alertKeys, parseSecret, replaceSecretFile } from '../../alerts/keys/alert-keys.ts';
import { beginRotation, concludeRotation, moveRecords } from '../../alerts/tables/rotate-keys.ts';
import type { Operation } from './operation.ts';

/**
 * `rotate-keys`: replaces the alerts' key. A key in the data folder needs one run. A key in `ALERTS_KEY`
 * needs two, because every server has to get the new one in between.
 */
export function rotateKeys(operation: Operation) {
  const { options, config, address, fail } = operation;
  if (config.secret === null && address.kind === 'embedded') return rotateFile(operation, address.dataDir);
  if (options.conclude) return conclude(operation);
  if (options.to === undefined)
    return fail('Name a file for the new key: rotate-keys --to new-alerts.key. Nothing has changed.');
  return rotateVariable(operation, options.to);
}

function rotateFile(operation: Operation, dataDir: string) {
  const { store, secret, now, print } = operation;
  const begun = beginRotation(store, secret, now);
  const next = begun.kind === 'not concluded' ? secret : begun.next;
  if (begun.kind !== 'not concluded') {
    print(`${move(operation)} records have moved to the new key.`);
    replaceSecretFile(dataDir, next);
  }
  concludeRotation(store, alertKeys(next));
  print('alerts.key is the new key; the old key no longer works. Back up the new one. Servers keep running.');
}

function rotateVariable(operation: Operation, file: string) {
  const { store, secret, now, print, fail } = operation;
  const isThere = existsSync(file);
  const begun = beginRotation(store, secret, now);
  if (begun.kind === 'not concluded')
    return fail('ALERTS_KEY is already the new key. End the rotation with: rotate-keys --conclude');
  const written = isThere ? parseSecret(readFileSync(file, 'utf8').trim()) : null;
  if (isThere && (written === null || !Buffer.from(begun.next).equals(written)))
    return fail(`${file} exists and is not the new key. Name another file; the rotation continues then.`);
  if (!isThere)
    writeFileSync(file, `${Buffer.from(begun.next).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  print(`${move(operation)} records have moved to the new key.`);
  print(
    `The new key is in ${file}. Set ALERTS_KEY to it on every server and restart them, one after the other; then run rotate-keys --conclude with it. Until then both keys work.`,
  );
}

function conclude({ store, secret, print, fail }: Operation) {
  if (concludeRotation(store, alertKeys(secret)))
    return print('The old key no longer works. Earlier backups still need it.');
  fail('Nothing to conclude: finish rotate-keys, set ALERTS_KEY to the new key, then run this again.');
}

function move({ store, now }: Operation): number {
  const moved = moveRecords(store, now, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} records`);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  return moved;
}
