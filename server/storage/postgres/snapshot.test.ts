import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { startSilentProxy } from '../../../tests/fixtures/silent-proxy.ts';
import { deadlineIn, NO_DEADLINE } from '../../lib/deadline.ts';
import { openPool } from './client.ts';
import { isPoolFull, isTransientFailure } from './failure.ts';
import { type InSnapshot, sharedSnapshots } from './snapshot.ts';
import { MAX_STATEMENTS, type QueryPostgres } from './statements.ts';

const TABLE = 'snapshot_test';
const sum = { text: `select sum(value)::int from ${TABLE}`, values: [] };
const who = { text: 'select pg_backend_pid()', values: [] };
const divide = { text: 'select 1 / $1::int', values: [0] };
const sleep = (seconds: number) => ({ text: 'select pg_sleep($1)', values: [seconds] });
const double = (value: number) => ({ text: 'select 2 * $1::int', values: [value] });

const waiterOf = (signal: AbortSignal) => ({ signal, deadline: NO_DEADLINE });
const waitingFor = (ms: number) => ({ signal: new AbortController().signal, deadline: deadlineIn(ms) });

describe('Queries in a snapshot', () => {
  let pool: pg.Pool;
  let inSnapshot: InSnapshot;

  const poolOf = (max: number, settings = {}) =>
    openPool(inject('postgresUrl'), settings, { max, pipeline: true });

  beforeEach(async () => {
    pool = poolOf(10);
    inSnapshot = sharedSnapshots(pool);
    await pool.query(`create table ${TABLE} (value integer)`);
    await pool.query(`insert into ${TABLE} values (1), (2)`);
  });
  afterEach(async () => {
    await pool.query(`drop table ${TABLE}`);
    await pool.end();
  });

  const twice = async (query: QueryPostgres) => {
    const before = await query(sum);
    await pool.query(`update ${TABLE} set value = value + 1`);
    return [before, await query(sum)];
  };

  const sleeping = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where query = '${sleep(0).text}' and state = 'active'`,
    );
    return rows[0]?.count;
  };

  it('all see the state at the first query', async () => {
    expect(await inSnapshot(twice, false)).toEqual([[[3]], [[3]]]);
    expect(await inSnapshot(twice, true)).toEqual([[[5]], [[5]]]);
    expect(await inSnapshot((query) => query(sum), false)).toEqual([[7]]);
  });

  it('keep the plans of the last texts only', async () => {
    pool = poolOf(1);
    const keptTexts = { text: 'select statement from pg_prepared_statements', values: [] };
    const text = (nth: number) => `select ${nth} + $1::int`;
    const kept = await sharedSnapshots(pool)(async (query) => {
      for (let nth = 0; nth < 2 * MAX_STATEMENTS; nth += 1) await query({ text: text(nth), values: [1] });
      return (await query(keptTexts)).flat();
    }, true);
    expect(kept).toHaveLength(MAX_STATEMENTS);
    expect(kept).toContain(text(2 * MAX_STATEMENTS - 1));
    expect(kept).not.toContain(text(0));
  });

  it('each return their own rows', async () => {
    const values = Array.from({ length: 50 }, (_, value) => value);
    const answers = await inSnapshot(
      (query) => Promise.all(values.map((value) => query(double(value)))),
      false,
    );
    expect(answers).toEqual(values.map((value) => [[2 * value]]));
  });

  it('share a connection with at most seven others of the same event-loop turn', async () => {
    const backends = await Promise.all(
      Array.from({ length: 16 }, () =>
        inSnapshot(async (query) => [await query(who), await query(who)], false),
      ),
    );
    expect(new Set(backends.flat(3)).size).toBe(2);
  });

  it('do not wait for a long query', async () => {
    const long = inSnapshot((query) => query(sleep(2)), true);
    const quick = inSnapshot((query) => query(sum), false);
    expect(await Promise.race([long.then(() => 'long'), quick.then(() => 'quick')])).toBe('quick');
    await long;
  });

  it('end at the server if long work is aborted, without affecting other work', async () => {
    const gone = new AbortController();
    const asleep = inSnapshot((query) => query(sleep(60)), true, waiterOf(gone.signal));
    await expect.poll(sleeping).toBe(1);
    const other = inSnapshot((query) => query(sleep(1)), true);
    gone.abort(new Error('The client has gone'));
    await expect(asleep).rejects.toThrow('The client has gone');
    await expect.poll(sleeping, { timeout: 30_000 }).toBe(0);
    expect(await other).toEqual([['']]);
    expect(await inSnapshot((query) => query(sum), true)).toEqual([[3]]);
  });

  it('do not start for callers who no longer wait, and leave the connection to others', async () => {
    const single = poolOf(1);
    onTestFinished(() => single.end());
    const inSingle = sharedSnapshots(single);
    const gone = new AbortController();
    const long = inSingle((query) => query(sleep(1)), true);
    await expect.poll(sleeping).toBe(1);
    let begun = 0;
    const asked = [waiterOf(gone.signal), waitingFor(10)].map((waiter) =>
      inSingle(
        async (query) => {
          begun += 1;
          return query(sum);
        },
        true,
        waiter,
      ),
    );
    const outcomes = Promise.allSettled(asked);
    await expect.poll(() => single.waitingCount).toBe(2);
    gone.abort(new Error('The client has gone'));
    await long;
    const [aborted, late] = await outcomes;
    expect(aborted).toMatchObject({ reason: { message: 'The client has gone' } });
    expect(late?.status === 'rejected' && isPoolFull(late.reason)).toBe(true);
    expect(begun).toBe(0);
    expect(await inSingle((query) => query(sum), false)).toEqual([[3]]);
  });

  it('fail alone: other work in the same snapshot is retried', async () => {
    let runs = 0;
    const [one, failed, other] = await Promise.allSettled([
      inSnapshot((query) => query(sum), false),
      inSnapshot((query) => query(divide), false),
      inSnapshot((query) => {
        runs += 1;
        return query(sum);
      }, false),
    ]);
    expect(one).toMatchObject({ value: [[3]] });
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(other).toMatchObject({ value: [[3]] });
    expect(runs).toBe(2);
  });

  it('all fail with a lock timeout, even statements that were not planned', async () => {
    const impatient = poolOf(10, { lock_timeout: '200' });
    onTestFinished(() => impatient.end());
    const inImpatient = sharedSnapshots(impatient);
    const client = await pool.connect();
    await client.query(`begin; lock table ${TABLE} in access exclusive mode`);
    const asked = Array.from({ length: 8 }, () => inImpatient((query) => query(sum), false));
    const outcomes = await Promise.allSettled(asked);
    await client.query('commit');
    client.release();
    expect(outcomes).toMatchObject(asked.map(() => ({ reason: { code: '55P03' } })));
    expect(await Promise.all(asked.map(() => inImpatient((query) => query(sum), false)))).toEqual(
      asked.map(() => [[3]]),
    );
  });

  it('wait for a lock no longer than their callers do, even in a shared snapshot', async () => {
    const limitOf = (ms: number) =>
      inSnapshot((query) => query({ ...who, text: 'show lock_timeout' }), false, waitingFor(ms));
    expect(await limitOf(60_000)).toEqual([['0']]);
    const [[limit] = []] = await limitOf(1_000);
    expect(limit).toMatch(/^[1-9]\d*ms$/);

    const client = await pool.connect();
    await client.query(`begin; lock table ${TABLE} in access exclusive mode`);
    const runs = [0, 0, 0];
    const outcomes = await Promise.allSettled(
      runs.map((_, nth) =>
        inSnapshot(
          (query) => {
            runs[nth] = (runs[nth] ?? 0) + 1;
            return query(sum);
          },
          false,
          waitingFor(1_000),
        ),
      ),
    );
    await client.query('commit');
    client.release();
    expect(outcomes).toMatchObject(runs.map(() => ({ status: 'rejected', reason: { code: '55P03' } })));
    expect(runs).toEqual([1, 1, 1]);
  });

  it('return their connection to the pool', async () => {
    for (let nth = 0; nth < 30; nth += 1) await inSnapshot((query) => query(sum), false);
    await expect.poll(() => pool.idleCount).toBe(pool.totalCount);
    const { rows } = await pool.query(
      `select count(*)::int as open from pg_stat_activity where query like '%${TABLE}%' and state like 'idle in%'`,
    );
    expect(rows).toEqual([{ open: 0 }]);
  });

  it('fail if the connection breaks, and work on the next one', async () => {
    const broken = inSnapshot(async (query) => {
      const [[pid] = []] = await query(who);
      const asleep = query(sleep(20));
      // The query may fail before the caller awaits it.
      asleep.catch(() => {});
      await pool.query('select pg_terminate_backend($1)', [pid]);
      return asleep;
    }, false);
    await expect(broken).rejects.toSatisfy(isTransientFailure);
    expect(await inSnapshot((query) => query(sum), false)).toEqual([[3]]);
  });
});

describe('Queries to a server that stops responding', () => {
  it('fail as transient failures, and work again once it responds', async () => {
    const gate = await startSilentProxy(new URL(inject('postgresUrl')));
    const pool = openPool(gate.url, {}, { max: 10, pipeline: true });
    onTestFinished(() => pool.end());
    const inSnapshot = sharedSnapshots(pool);
    await inSnapshot((query) => query(double(1)), false);
    const asleep = [0, 1, 2].map(() => inSnapshot((query) => query(sleep(20)), true));
    const outcomes = Promise.allSettled(asleep);
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(3);
    gate.cut();
    for (const outcome of await outcomes) {
      expect(outcome.status === 'rejected' && isTransientFailure(outcome.reason)).toBe(true);
    }
    expect(await inSnapshot((query) => query(double(2)), false)).toEqual([[4]]);
    await gate.stop();
    await expect(inSnapshot((query) => query(double(3)), false)).rejects.toSatisfy(isTransientFailure);
  });
});
