import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../server/storage/in-transaction.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

/** More than a cursor fetches in one batch. */
const ROWS = 12_000;

describe.each(STORE_KINDS)('Iterating over rows of the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  beforeAll(async () => {
    store = await makeStore(kind);
    database = openDatabase(store.address);
    database.exec('create temporary table numbered (id integer primary key)');
    inTransaction(database, () =>
      database.addRows(
        'numbered',
        ['id'],
        Array.from({ length: ROWS }, (_, nth) => [nth + 1]),
      ),
    );
  });
  afterAll(async () => {
    database.close();
    await store.remove();
  });

  const rowsFrom = (from: number) =>
    database.prepare('select id from numbered where id >= ? order by id').iterate(from)[Symbol.iterator]();

  it('interleaves two iterations in one transaction', () => {
    inTransaction(database, () => {
      const [one, other] = [rowsFrom(1), rowsFrom(6_001)];
      for (let id = 1; id <= 6_000; id += 1) {
        expect([one.next().value, other.next().value].map(Number)).toEqual([id, id + 6_000]);
      }
      expect(other.next().done).toBe(true);
      expect(Number(one.next().value)).toBe(6_001);
    });
  });

  it('starts again after an iteration that ended early', () => {
    inTransaction(database, () => {
      for (const [id] of database.prepare('select id from numbered order by id').iterate())
        if (id === 7) break;
      expect(Number(rowsFrom(1).next().value)).toBe(1);
    });
  });

  // The next rows are fetched while the caller processes the first.
  describe.runIf(kind !== 'embedded')('with an error in rows that are fetched but not yet read', () => {
    const startIteration = () =>
      database
        .prepare('select 1 / (id - 8000) from numbered order by id')
        .iterate()
        [Symbol.iterator]()
        .next();
    const FAILURE = expect.objectContaining({ cause: expect.objectContaining({ code: '22012' }) });

    it('throws the error in the next statement', () => {
      const work = () => {
        startIteration();
        database.prepare('select 1').row();
      };
      expect(() => inTransaction(database, work)).toThrow(FAILURE);
      expect(database.prepare('select 1').row()).toEqual([1]);
    });

    it('rolls back the transaction', () => {
      const work = () => {
        database.exec('insert into numbered values (-1)');
        startIteration();
      };
      expect(() => inTransaction(database, work)).toThrow(FAILURE);
      expect(Number(rowsFrom(-1).next().value)).toBe(1);
    });

    it('ignores the error outside a transaction if the iteration has ended', () => {
      for (const _row of database.prepare('select 1 / (id - 8000) from numbered order by id').iterate())
        break;
      expect(Number(rowsFrom(1).next().value)).toBe(1);
    });
  });
});
