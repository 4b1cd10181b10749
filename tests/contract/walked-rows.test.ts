import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../server/storage/in-transaction.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

/** More than a cursor fetches in one batch. */
const ROWS = 12_000;

describe.each(STORE_KINDS)('Rows that are walked in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  beforeAll(async () => {
    store = await makeStore(kind);
    database = openDatabase(store.address);
    database.exec('create temporary table walked (id integer primary key)');
    inTransaction(database, () =>
      database.addRows(
        'walked',
        ['id'],
        Array.from({ length: ROWS }, (_, nth) => [nth + 1]),
      ),
    );
  });
  afterAll(async () => {
    database.close();
    await store.remove();
  });

  const walk = (from: number) =>
    database.prepare('select id from walked where id >= ? order by id').iterate(from)[Symbol.iterator]();

  it('come in two walks of one transaction side by side', () => {
    inTransaction(database, () => {
      const [one, other] = [walk(1), walk(6_001)];
      for (let id = 1; id <= 6_000; id += 1) {
        expect([one.next().value, other.next().value].map(Number)).toEqual([id, id + 6_000]);
      }
      expect(other.next().done).toBe(true);
      expect(Number(one.next().value)).toBe(6_001);
    });
  });

  it('come again after a walk that was left early', () => {
    inTransaction(database, () => {
      for (const [id] of database.prepare('select id from walked order by id').iterate()) if (id === 7) break;
      expect(Number(walk(1).next().value)).toBe(1);
    });
  });

  // The next rows are on their way while the first ones are worked on.
  describe.runIf(kind !== 'embedded')('that fail behind those that were read', () => {
    const startWalk = () =>
      database.prepare('select 1 / (id - 8000) from walked order by id').iterate()[Symbol.iterator]().next();
    const FAILURE = expect.objectContaining({ cause: expect.objectContaining({ code: '22012' }) });

    it('end the next statement with their failure', () => {
      const work = () => {
        startWalk();
        database.prepare('select 1').row();
      };
      expect(() => inTransaction(database, work)).toThrow(FAILURE);
      expect(database.prepare('select 1').row()).toEqual([1]);
    });

    it('do not let the transaction be committed', () => {
      const work = () => {
        database.exec('insert into walked values (-1)');
        startWalk();
      };
      expect(() => inTransaction(database, work)).toThrow(FAILURE);
      expect(Number(walk(-1).next().value)).toBe(1);
    });

    it('leave a walk without a transaction without harm', () => {
      for (const _row of database.prepare('select 1 / (id - 8000) from walked order by id').iterate()) break;
      expect(Number(walk(1).next().value)).toBe(1);
    });
  });
});
