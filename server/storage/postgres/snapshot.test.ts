import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { connectionTo } from './client.ts';
import { type AskPostgres, pipelinePool } from './pipeline.ts';
import { type InSnapshot, snapshotsTogether } from './snapshot.ts';

const TABLE = 'snapshot_test';
const sum = { name: 'sum', text: `select sum(value)::int from ${TABLE}`, values: [], isLong: false };
const who = { name: 'who', text: 'select pg_backend_pid()', values: [], isLong: false };
const divide = { name: 'divide', text: 'select 1 / $1::int', values: [0], isLong: false };
const sleep = (seconds: number) => ({
  name: 'sleep',
  text: 'select pg_sleep($1)',
  values: [seconds],
  isLong: false,
});

describe('Questions in a snapshot', () => {
  let pool: pg.Pool;
  let inSnapshot: InSnapshot;

  beforeEach(async () => {
    pool = pipelinePool({ ...connectionTo(inject('postgresUrl'), {}), max: 10 });
    pool.on('error', () => {});
    inSnapshot = snapshotsTogether(pool);
    await pool.query(`create table ${TABLE} (value integer)`);
    await pool.query(`insert into ${TABLE} values (1), (2)`);
  });
  afterEach(async () => {
    await pool.query(`drop table ${TABLE}`);
    await pool.end();
  });

  const twice = async (ask: AskPostgres) => {
    const before = await ask(sum);
    await pool.query(`update ${TABLE} set value = value + 1`);
    return [before, await ask(sum)];
  };

  it('see what was there at the first of them, whatever is written meanwhile', async () => {
    expect(await inSnapshot(twice, false)).toEqual([[[3]], [[3]]]);
    expect(await inSnapshot(twice, true)).toEqual([[[5]], [[5]]]);
    expect(await inSnapshot((ask) => ask(sum), false)).toEqual([[7]]);
  });

  it('share a connection where they are asked in one turn, and no more than eight of them', async () => {
    const backends = await Promise.all(
      Array.from({ length: 16 }, () => inSnapshot(async (ask) => [await ask(who), await ask(who)], false)),
    );
    expect(new Set(backends.flat(3)).size).toBe(2);
  });

  it('let no other wait behind a long one', async () => {
    const long = inSnapshot((ask) => ask(sleep(2)), true);
    const quick = inSnapshot((ask) => ask(sum), false);
    expect(await Promise.race([long.then(() => 'long'), quick.then(() => 'quick')])).toBe('quick');
    await long;
  });

  it('fail alone: those that shared a state with a failure are asked anew', async () => {
    let runs = 0;
    const [one, failed, other] = await Promise.allSettled([
      inSnapshot((ask) => ask(sum), false),
      inSnapshot((ask) => ask(divide), false),
      inSnapshot((ask) => {
        runs += 1;
        return ask(sum);
      }, false),
    ]);
    expect(one).toMatchObject({ value: [[3]] });
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(other).toMatchObject({ value: [[3]] });
    expect(runs).toBe(2);
    expect(await inSnapshot((ask) => ask(sum), false)).toEqual([[3]]);
  });

  it('give their connection back once they are answered', async () => {
    for (let nth = 0; nth < 30; nth += 1) await inSnapshot((ask) => ask(sum), false);
    await expect.poll(() => pool.idleCount).toBe(pool.totalCount);
    const { rows } = await pool.query(
      `select count(*)::int as open from pg_stat_activity where query like '%${TABLE}%' and state like 'idle in%'`,
    );
    expect(rows).toEqual([{ open: 0 }]);
  });

  it('fail where the connection breaks in the middle, and are answered by the next one', async () => {
    const broken = inSnapshot(async (ask) => {
      const [[pid] = []] = await ask(who);
      const asleep = ask(sleep(20));
      await pool.query('select pg_terminate_backend($1)', [pid]);
      return asleep;
    }, false);
    const [outcome] = await Promise.allSettled([broken]);
    expect(outcome.status).toBe('rejected');
    expect(await inSnapshot((ask) => ask(sum), false)).toEqual([[3]]);
  });
});
