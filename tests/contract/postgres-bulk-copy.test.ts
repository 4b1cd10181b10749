import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase, SqlValue } from '../../server/storage/sql-database.ts';
import { takeDatabase } from '../fixtures/test-databases.ts';

/** Enough for several parts of a copy. */
const ROWS = 20_000;
const LONG = 'x'.repeat(100);

describe('Rows copied into PostgreSQL', () => {
  let database: SqlDatabase;
  let release: () => Promise<void>;
  beforeEach(async () => {
    const taken = await takeDatabase();
    release = taken.release;
    database = await openDatabase(taken.address);
    await database.exec(
      'drop table if exists copied; create table copied (id integer primary key, text text)',
    );
  });
  afterEach(async () => {
    await database.close();
    await release();
  });

  const stored = async () =>
    (await database.prepare('select count(*), coalesce(sum(id), 0) from copied').row())?.map(Number);

  async function* numbered(
    onRow: (id: number) => Promise<void> = async () => {},
  ): AsyncGenerator<SqlValue[]> {
    for (let id = 1; id <= ROWS; id += 1) {
      await onRow(id);
      yield [id, LONG];
    }
  }

  it('are complete, even if other statements run while they are generated', async () => {
    const seen: unknown[] = [];
    await database.write('records', async (tx) => {
      const rows = numbered(async (id) => {
        if (id % 5_000 === 0) seen.push((await tx.prepare('select ? as id').get(id))?.id);
      });
      await tx.addRows('copied', ['id', 'text'], rows);
    });
    expect(await stored()).toEqual([ROWS, (ROWS * (ROWS + 1)) / 2]);
    expect(seen.map(Number)).toEqual([5_000, 10_000, 15_000, 20_000]);
  });

  it('are rolled back if generating them fails, and the connection keeps working', async () => {
    const rows = numbered(async (id) => {
      if (id === ROWS - 1) throw new Error('The feed is broken');
    });
    const copy = () => database.write('records', (tx) => tx.addRows('copied', ['id', 'text'], rows));
    await expect(copy).rejects.toThrow('The feed is broken');
    expect(await stored()).toEqual([0, 0]);
  });

  it.each([1, ROWS / 2, ROWS])('are rolled back if PostgreSQL rejects row %i', async (bad) => {
    const all: SqlValue[][] = [];
    for await (const row of numbered()) all.push(row);
    const rows = all.map(([id = 0, text = null]) => [id === bad ? 'not a number' : id, text]);
    const copy = () => database.write('records', (tx) => tx.addRows('copied', ['id', 'text'], rows));
    await expect(copy).rejects.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: '22P02' }) }),
    );
    expect(await stored()).toEqual([0, 0]);
    await database.write('records', (tx) => tx.addRows('copied', ['id', 'text'], [[1, 'one']]));
    expect(await stored()).toEqual([1, 1]);
  });
});
