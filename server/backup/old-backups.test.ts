import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/fixtures/temporary-folder.ts';
import { openDatabase } from '../storage/open/database.ts';
import { embeddedStore } from '../storage/store-address.ts';
import { noteBackup, readBackupState } from './backup-notes.ts';
import { backupAt, removeOldBackups } from './old-backups.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('keeps the newest backups with their checksums, and every other file', () => {
  expect(backupAt(folder.path)).toBeNull();
  for (const day of ['01', '02', '03']) {
    for (const ending of ['', '.sha256']) {
      writeFileSync(join(folder.path, `skylark-2027-04-${day}T020000Z.sqlite${ending}`), '');
    }
  }
  writeFileSync(join(folder.path, 'skylark-before-upgrade.sqlite'), '');
  expect(removeOldBackups(folder.path, 2)).toBe(1);
  expect(readdirSync(folder.path)).toEqual([
    'skylark-2027-04-02T020000Z.sqlite',
    'skylark-2027-04-02T020000Z.sqlite.sha256',
    'skylark-2027-04-03T020000Z.sqlite',
    'skylark-2027-04-03T020000Z.sqlite.sha256',
    'skylark-before-upgrade.sqlite',
  ]);
  expect(backupAt(folder.path)).toBe(join(folder.path, 'skylark-2027-04-03T020000Z.sqlite'));
});

it('records a failure until the next good backup', () => {
  const store = embeddedStore(folder.path);
  const state = () => {
    const database = openDatabase(store);
    const read = readBackupState(database);
    database.close();
    return read;
  };
  noteBackup(store, 'No space.', 1_000);
  expect(readdirSync(folder.path)).toEqual([]);
  expect(state()).toEqual({ goodAt: null, failure: null });
  noteBackup(store, null, 1_000);
  noteBackup(store, 'No space.', 2_000);
  expect(state()).toEqual({ goodAt: 1_000, failure: 'No space.' });
  noteBackup(store, null, 3_000);
  expect(state()).toEqual({ goodAt: 3_000, failure: null });
});
