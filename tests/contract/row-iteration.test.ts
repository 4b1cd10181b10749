import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase, SqlSession } from '../../server/storage/sql-database.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

/** More than a cursor fetches in one batch. */
const ROWS = 12_000;

describe.each(STORE_KINDS)('Iterating over rows of the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  beforeAll(async () => {
    store = await makeStore(kind);
    database = await openDatabase(store.address);
    await database.exec('drop table if exists numbered; create table numbered (id integer primary key)');
    await database.write('records', (tx) =>
      tx.addRows(
        'numbered',
        ['id'],
        Array.from({ length: ROWS }, (_, nth) => [nth + 1]),
      ),
    );
  });
  afterAll(async () => {
    await database.close();
    await store.remove();
  });

  const rowsFrom = (from: number, session: SqlSession = database) =>
    session
      .prepare('select id from numbered where id >= ? order by id')
      .iterate(from)
      [Symbol.asyncIterator]();

  it('interleaves two iterations in one transaction', async () => {
    await database.write('records', async (tx) => {
      const [one, other] = [rowsFrom(1, tx), rowsFrom(6_001, tx)];
      for (let id = 1; id <= 6_000; id += 1) {
        expect([(await one.next()).value, (await other.next()).value].map(Number)).toEqual([id, id + 6_000]);
      }
      expect((await other.next()).done).toBe(true);
      expect(Number((await one.next()).value)).toBe(6_001);
    });
  });

  it('starts again after an iteration that ended early', async () => {
    await database.write('records', async (tx) => {
      for await (const [id] of tx.prepare('select id from numbered order by id').iterate())
        if (id === 7) break;
      expect(Number((await rowsFrom(1, tx).next()).value)).toBe(1);
    });
  });

  describe.runIf(kind !== 'embedded')('with an error in a row', () => {
    const failing = (session: SqlSession) =>
      session.prepare('select 1 / (id - 8000) from numbered order by id').iterate();
    const FAILURE = expect.objectContaining({ cause: expect.objectContaining({ code: '22012' }) });

    it('throws it and rolls back the transaction', async () => {
      const work = async (tx: SqlSession) => {
        await tx.exec('insert into numbered values (-1)');
        for await (const _row of failing(tx));
      };
      await expect(database.write('records', work)).rejects.toThrow(FAILURE);
      expect(Number((await rowsFrom(-1).next()).value)).toBe(1);
    });

    it('never meets it if the iteration ends early', async () => {
      for await (const _row of failing(database)) break;
      expect(Number((await rowsFrom(1).next()).value)).toBe(1);
    });
  });
});
