import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { inTransaction } from '../in-transaction.ts';
import { embeddedStore } from '../store-address.ts';
import { databasePath, openDatabase, openDatabaseForReading } from './database.ts';

describe('A data folder', () => {
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

  it('protects its store and journal from other users, even if they could read it before', () => {
    const dataDir = join(folder.path, 'new');
    const first = openDatabase(embeddedStore(dataDir));
    first.exec(`insert into note (name, value) values ('a', 'b')`);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const path = databasePath(dataDir);
    const modes = () => [dataDir, path, `${path}-wal`, `${path}-shm`].map(mode);
    expect(modes()).toEqual(['700', '600', '600', '600']);
    for (const ending of ['', '-wal', '-shm']) chmodSync(path + ending, 0o644);
    const second = openDatabase(embeddedStore(dataDir));
    expect(modes()).toEqual(['700', '600', '600', '600']);
    first.close();
    second.close();
  });

  // Linux lists the locks of all processes. Without its lock, another process may remove the journal.
  it.runIf(existsSync('/proc/locks'))('keeps the lock on its store when it is opened again', () => {
    const first = openDatabase(embeddedStore(folder.path));
    const { ino } = statSync(databasePath(folder.path));
    const locks = () =>
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => line.includes(`:${ino} `));
    expect(locks()).toHaveLength(1);
    openDatabase(embeddedStore(folder.path)).close();
    expect(locks()).toHaveLength(1);
    first.close();
  });

  it('writes a whole transaction or nothing', () => {
    const database = openDatabase(embeddedStore(folder.path));
    const put = database.prepare('insert into note (name, value) values (?, 1)');
    const names = () => database.prepare('select name from note order by name').all();
    const failing = () => {
      put.run('a');
      throw new Error('a fault');
    };
    expect(() => inTransaction(database, failing)).toThrow('a fault');
    expect(names()).toEqual([]);
    expect(inTransaction(database, () => ['b', 'c'].map((name) => put.run(name).changes))).toEqual([1, 1]);
    expect(names()).toEqual([{ name: 'b' }, { name: 'c' }]);
    database.close();
  });

  it('is unavailable to interactive connections while another connection has its lock, and available afterwards', () => {
    const other = openDatabase(embeddedStore(folder.path));
    const database = openDatabase(embeddedStore(folder.path), { interactive: true });
    const put = database.prepare('insert into note (name, value) values (?, 1)');
    const names = () => database.prepare('select name from note order by name').rows().flat();
    other.begin();
    expect(() => put.run('alone')).toThrow(StoreUnavailable);
    expect(() => inTransaction(database, () => put.run('in a transaction'))).toThrow(StoreUnavailable);
    other.rollback();
    put.run('later');
    expect(names()).toEqual(['later']);
    expect(() => put.run('later')).toThrow('UNIQUE');
    database.close();
    other.close();
  });

  it('accepts no write while its files are missing, in a transaction or alone', () => {
    const dataDir = join(folder.path, 'data');
    const database = openDatabase(embeddedStore(dataDir));
    const put = database.prepare('insert into note (name, value) values (?, 1)');
    renameSync(dataDir, join(folder.path, 'elsewhere'));
    expect(() => put.run('alone')).toThrow(StoreUnavailable);
    expect(() => inTransaction(database, () => put.run('together'))).toThrow(StoreUnavailable);
    renameSync(join(folder.path, 'elsewhere'), dataDir);
    put.run('back');
    expect(() =>
      inTransaction(database, () => {
        put.run('begun');
        rmSync(dataDir, { recursive: true });
      }),
    ).toThrow(StoreUnavailable);
    // A new store at the same path does not replace the open one.
    openDatabase(embeddedStore(dataDir)).close();
    expect(() => put.run('replaced')).toThrow(StoreUnavailable);
    expect(database.prepare('select name from note').all()).toEqual([{ name: 'back' }]);
    database.close();
  });

  // Root ignores file permissions.
  it.skipIf(process.getuid?.() === 0).each([
    ['a folder that this user may not write to', (dataDir: string) => dataDir],
    ['a store that this user may not write to', databasePath],
  ])('is refused with the name of %s', (_, pathOf) => {
    openDatabase(embeddedStore(folder.path)).close();
    const path = pathOf(folder.path);
    const { mode } = statSync(path);
    chmodSync(path, mode & 0o555);
    expect(() => openDatabase(embeddedStore(folder.path))).toThrow(`permission denied, access '${path}'`);
    chmodSync(path, mode);
    openDatabase(embeddedStore(folder.path)).close();
  });

  it('is not created again if it must already exist', () => {
    const dataDir = join(folder.path, 'gone');
    expect(() => openDatabase(embeddedStore(dataDir), { isExisting: true })).toThrow(StoreUnavailable);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('rejects a store of a newer version', () => {
    const newer = openDatabase(embeddedStore(folder.path));
    newer.exec('pragma user_version = 99');
    newer.close();
    expect(() => openDatabase(embeddedStore(folder.path))).toThrow(/schema version 99.*newer Skylark/);
  });

  it('rejects prices that are too high to be ranked', () => {
    const database = openDatabase(embeddedStore(folder.path));
    const others = OFFER_COLUMNS.filter((column) => column !== 'price');
    const insert = database.prepare(
      `insert into offer (${others.join(', ')}, price) values (${others.map(() => 1).join(', ')}, ?)`,
    );
    for (const price of [0, -1, 2 ** 25]) expect(() => insert.run(price)).toThrow(/CHECK/);
    insert.run(2 ** 25 - 1);
    database.close();
  });

  it('cannot be written by a read-only connection', () => {
    openDatabase(embeddedStore(folder.path)).close();
    const reader = openDatabaseForReading(embeddedStore(folder.path));
    expect(() => reader.exec('delete from note')).toThrow(/readonly/);
    reader.close();
  });
});
