import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { noteBackup, readBackupState } from './backup-notes.ts';
import { backupAt, oldBackups, removeBackups } from './old-backups.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('keeps the newest backups with their checksums, and every other file', () => {
  expect(backupAt(folder.path)).toBeNull();
  const names = ['01T020000Z.sqlite', '01T020000Z.sqlite.sha256', '02T020000Z.sqlite.gz', '03T020000Z.dump'];
  for (const name of names) writeFileSync(join(folder.path, `skylark-2027-04-${name}`), '');
  writeFileSync(join(folder.path, 'skylark-before-upgrade.sqlite'), '');
  const old = oldBackups(folder.path, 2);
  expect(old).toEqual([join(folder.path, 'skylark-2027-04-01T020000Z.sqlite')]);
  removeBackups(old);
  expect(readdirSync(folder.path)).toEqual([
    'skylark-2027-04-02T020000Z.sqlite.gz',
    'skylark-2027-04-03T020000Z.dump',
    'skylark-before-upgrade.sqlite',
  ]);
  expect(backupAt(folder.path)).toBe(join(folder.path, 'skylark-2027-04-03T020000Z.dump'));
});

it('records a failure until the next good backup', async () => {
  const store = embeddedStore(folder.path);
  const state = async () => {
    const database = await openDatabase(store);
    const read = await readBackupState(database);
    await database.close();
    return read;
  };
  await noteBackup(store, 'No space.', 1_000);
  expect(readdirSync(folder.path)).toEqual([]);
  expect(await state()).toEqual({ goodAt: null, failure: null });
  await noteBackup(store, null, 1_000);
  await noteBackup(store, 'No space.', 2_000);
  expect(await state()).toEqual({ goodAt: 1_000, failure: 'No space.' });
  await noteBackup(store, null, 3_000);
  expect(await state()).toEqual({ goodAt: 3_000, failure: null });
});
