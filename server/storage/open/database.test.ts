import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdTransaction } from '../../../tests/fixtures/held-transaction.ts';
import { temporaryFolder } from '../../../tests/fixtures/temporary-folder.ts';
import { OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { SqlSession } from '../sql-database.ts';
import { embeddedStore } from '../store-address.ts';
import { databasePath, openDatabase, openDatabaseForReading } from './database.ts';

describe('A data folder', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('gets its store once and keeps it', async () => {
    const dataDir = join(folder.path, 'new/folder');
    const first = await openDatabase(embeddedStore(dataDir));
    await first.exec(`insert into note (name, value) values ('a', 'b')`);
    await first.close();
    const again = await openDatabase(embeddedStore(dataDir));
    expect(await again.prepare('select value from note').all()).toEqual([{ value: 'b' }]);
    await again.close();
  });

  it('protects its store and journal from other users, even if they could read it before', async () => {
    const dataDir = join(folder.path, 'new');
    const first = await openDatabase(embeddedStore(dataDir));
    await first.exec(`insert into note (name, value) values ('a', 'b')`);
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const path = databasePath(dataDir);
    const modes = () => [dataDir, path, `${path}-wal`, `${path}-shm`].map(mode);
    expect(modes()).toEqual(['700', '600', '600', '600']);
    for (const ending of ['', '-wal', '-shm']) chmodSync(path + ending, 0o644);
    const second = await openDatabase(embeddedStore(dataDir));
    expect(modes()).toEqual(['700', '600', '600', '600']);
    await first.close();
    await second.close();
  });

  // Linux lists the locks of all processes. Without its lock, another process may remove the journal.
  it.runIf(existsSync('/proc/locks'))('keeps the lock on its store when it is opened again', async () => {
    const first = await openDatabase(embeddedStore(folder.path));
    const { ino } = statSync(databasePath(folder.path));
    const locks = () =>
      readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => line.includes(`:${ino} `) && line.includes(` ${process.pid} `));
    expect(locks()).toHaveLength(1);
    await (await openDatabase(embeddedStore(folder.path))).close();
    expect(locks()).toHaveLength(1);
    await first.close();
  });

  it('writes a whole transaction or nothing', async () => {
    const database = await openDatabase(embeddedStore(folder.path));
    const put = ({ sql }: SqlSession, name: string) =>
      sql.run`insert into note (name, value) values (${name}, 1)`;
    const names = () => database.prepare('select name from note order by name').all();
    const failing = async (tx: SqlSession) => {
      await put(tx, 'a');
      throw new Error('a fault');
    };
    await expect(() => database.write('records', failing)).rejects.toThrow('a fault');
    expect(await names()).toEqual([]);
    expect(
      await database.write('records', async (tx) => [
        (await put(tx, 'b')).changes,
        (await put(tx, 'c')).changes,
      ]),
    ).toEqual([1, 1]);
    expect(await names()).toEqual([{ name: 'b' }, { name: 'c' }]);
    await database.close();
  });

  it('is unavailable to interactive connections while another connection has its lock, and available afterwards', async () => {
    const other = await openDatabase(embeddedStore(folder.path));
    const database = await openDatabase(embeddedStore(folder.path), { interactive: true });
    const put = database.prepare('insert into note (name, value) values (?, 1)');
    const names = async () => (await database.prepare('select name from note order by name').rows()).flat();
    const held = await holdTransaction(other);
    await expect(() => put.run('alone')).rejects.toThrow(StoreUnavailable);
    await expect(() => database.write('records', async () => {})).rejects.toThrow(StoreUnavailable);
    await held.rollback();
    await put.run('later');
    expect(await names()).toEqual(['later']);
    await expect(() => put.run('later')).rejects.toThrow('UNIQUE');
    await database.close();
    await other.close();
  });

  it('accepts no write while its files are missing, in a transaction or alone', async () => {
    const dataDir = join(folder.path, 'data');
    const database = await openDatabase(embeddedStore(dataDir));
    const put = database.prepare('insert into note (name, value) values (?, 1)');
    renameSync(dataDir, join(folder.path, 'elsewhere'));
    await expect(() => put.run('alone')).rejects.toThrow(StoreUnavailable);
    await expect(() => database.write('records', async () => {})).rejects.toThrow(StoreUnavailable);
    renameSync(join(folder.path, 'elsewhere'), dataDir);
    await put.run('back');
    await expect(() =>
      database.write('records', async (tx) => {
        await tx.sql.run`insert into note (name, value) values ('begun', 1)`;
        rmSync(dataDir, { recursive: true });
      }),
    ).rejects.toThrow(StoreUnavailable);
    // A new store at the same path does not replace the open one.
    await (await openDatabase(embeddedStore(dataDir))).close();
    await expect(() => put.run('replaced')).rejects.toThrow(StoreUnavailable);
    expect(await database.prepare('select name from note').all()).toEqual([{ name: 'back' }]);
    await database.close();
  });

  // Root ignores file permissions.
  it.skipIf(process.getuid?.() === 0).each([
    ['a folder that this user may not write to', (dataDir: string) => dataDir],
    ['a store that this user may not write to', databasePath],
  ])('is refused with the name of %s', async (_, pathOf) => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const path = pathOf(folder.path);
    const { mode } = statSync(path);
    chmodSync(path, mode & 0o555);
    await expect(() => openDatabase(embeddedStore(folder.path))).rejects.toThrow(
      `permission denied, access '${path}'`,
    );
    chmodSync(path, mode);
    await (await openDatabase(embeddedStore(folder.path))).close();
  });

  it('is not created again if it must already exist', async () => {
    const dataDir = join(folder.path, 'gone');
    await expect(() => openDatabase(embeddedStore(dataDir), { isExisting: true })).rejects.toThrow(
      StoreUnavailable,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it('rejects a store of a newer version', async () => {
    const newer = await openDatabase(embeddedStore(folder.path));
    await newer.exec('pragma user_version = 99');
    await newer.close();
    await expect(() => openDatabase(embeddedStore(folder.path))).rejects.toThrow(
      /schema version 99.*newer Skylark/,
    );
  });

  it('rejects prices that are too high to be ranked', async () => {
    const database = await openDatabase(embeddedStore(folder.path));
    const others = OFFER_COLUMNS.filter((column) => column !== 'price');
    const insert = database.prepare(
      `insert into offer (${others.join(', ')}, price) values (${others.map(() => 1).join(', ')}, ?)`,
    );
    for (const price of [0, -1, 2 ** 25]) await expect(() => insert.run(price)).rejects.toThrow(/CHECK/);
    await insert.run(2 ** 25 - 1);
    await database.close();
  });

  it('cannot be written by a read-only connection', async () => {
    await (await openDatabase(embeddedStore(folder.path))).close();
    const reader = openDatabaseForReading(embeddedStore(folder.path));
    await expect(() => reader.exec('delete from note')).rejects.toThrow(/readonly/);
    await reader.close();
  });
});
