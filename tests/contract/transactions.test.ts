import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase, SqlSession } from '../../server/storage/sql-database.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';

describe.each(STORE_KINDS)('A transaction of the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  beforeEach(async () => {
    store = await makeStore(kind);
    database = await openDatabase(store.address);
  });
  afterEach(async () => {
    await database.close();
    await store.remove();
  });

  const names = async (session: SqlSession) =>
    (await session.sql.all`select name from note where name like 'a note%'`).map(({ name }) => name);

  it.each(['read', 'write'] as const)('refuses a statement after the end of its %s block', async (block) => {
    const keep = async (tx: SqlSession) => tx;
    const ended = await (block === 'read' ? database.read(keep) : database.write('records', keep));
    await expect(names(ended)).rejects.toThrow('after the end of its transaction');
  });

  it('refuses statements and transactions of the store itself, and writes nothing', async () => {
    const uses = [
      () => names(database),
      () => database.exec("insert into note (name, value) values ('a note', '')"),
      () => database.read(names),
      () => database.write('records', names),
    ];
    for (const use of uses) {
      const work = database.write('records', async (tx) => {
        await tx.sql.run`insert into note (name, value) values ('a note of tx', '')`;
        await use();
      });
      await expect(work).rejects.toThrow('used the store itself instead of its tx');
    }
    expect(await names(database)).toEqual([]);
  });

  it('is not used by statements that run beside it', async () => {
    let isDone = false;
    const begun = Promise.withResolvers<void>();
    const work = database.write('records', async (tx) => {
      begun.resolve();
      await tx.sql.run`insert into note (name, value) values ('a note', '')`;
      expect(await names(tx)).toEqual(['a note']);
      isDone = true;
      throw new Error('undone');
    });
    const undone = expect(work).rejects.toThrow('undone');
    await begun.promise;
    expect(await names(database)).toEqual([]);
    await undone;
    expect(isDone).toBe(true);
  });
});
