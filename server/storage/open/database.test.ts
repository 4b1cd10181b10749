import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { embeddedStore } from '../store-address.ts';
import { openDatabase, openDatabaseForReading } from './database.ts';

describe('a data folder', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('gets its store once and keeps it', () => {
    const dataDir = join(folder.path, 'new/folder');
    const first = openDatabase(embeddedStore(dataDir));
    first.exec(`insert into note (name, value) values ('a', 'b')`);
    first.close();
    const again = openDatabase(embeddedStore(dataDir));
    expect(again.prepare('select value from note').all()).toEqual([{ value: 'b' }]);
    again.close();
  });

  it('rejects a store of a newer version', () => {
    const newer = openDatabase(embeddedStore(folder.path));
    newer.exec('pragma user_version = 99');
    newer.close();
    expect(() => openDatabase(embeddedStore(folder.path))).toThrow(/schema version 99.*newer Skylark/);
  });

  it('rejects prices that do not fit into a rank', () => {
    const database = openDatabase(embeddedStore(folder.path));
    const insert = database.prepare(
      `insert into offer values (1,1,1,1,1,1,1,1,1,1,1,?,null,8,0,1,1,0,1,1,null)`,
    );
    for (const price of [0, -1, 2 ** 25]) expect(() => insert.run(price)).toThrow(/CHECK/);
    insert.run(2 ** 25 - 1);
    database.close();
  });

  it('is not written by a reading connection', () => {
    openDatabase(embeddedStore(folder.path)).close();
    const reader = openDatabaseForReading(embeddedStore(folder.path));
    expect(() => reader.exec('delete from note')).toThrow(/readonly/);
    reader.close();
  });
});
