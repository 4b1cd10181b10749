import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { connectionTo } from './client.ts';
import { isPoolFull } from './failure.ts';
import { pipelinePool, type QueryPostgres } from './pipeline.ts';
import { type InSnapshot, sharedSnapshots } from './snapshot.ts';

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

describe('Queries in a snapshot', () => {
  let pool: pg.Pool;
  let cancelling: pg.Pool;
  let inSnapshot: InSnapshot;

  const poolOf = (max: number) => {
    const opened = pipelinePool({ ...connectionTo(inject('postgresUrl'), {}), max });
    opened.on('error', () => {});
    return opened;
  };

  beforeEach(async () => {
    pool = poolOf(10);
    cancelling = poolOf(1);
    inSnapshot = sharedSnapshots(pool, cancelling);
    await pool.query(`create table ${TABLE} (value integer)`);
    await pool.query(`insert into ${TABLE} values (1), (2)`);
  });
  afterEach(async () => {
    await pool.query(`drop table ${TABLE}`);
    await Promise.all([pool.end(), cancelling.end()]);
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

  it('all see the state at the first of them', async () => {
    expect(await inSnapshot(twice, false)).toEqual([[[3]], [[3]]]);
    expect(await inSnapshot(twice, true)).toEqual([[[5]], [[5]]]);
    expect(await inSnapshot((query) => query(sum), false)).toEqual([[7]]);
  });

  it('share a connection with at most seven others of the same turn', async () => {
    const backends = await Promise.all(
      Array.from({ length: 16 }, () =>
        inSnapshot(async (query) => [await query(who), await query(who)], false),
      ),
    );
    expect(new Set(backends.flat(3)).size).toBe(2);
  });

  it('do not wait behind a long one', async () => {
    const long = inSnapshot((query) => query(sleep(2)), true);
    const quick = inSnapshot((query) => query(sum), false);
    expect(await Promise.race([long.then(() => 'long'), quick.then(() => 'quick')])).toBe('quick');
    await long;
  });

  it('end at the server when nobody waits for long ones any more', async () => {
    let backend: unknown = null;
    const runningQuery = async () => {
      const { rows } = await pool.query<{ query: string }>(
        "select query from pg_stat_activity where pid = $1 and state = 'active'",
        [backend],
      );
      return rows[0]?.query;
    };
    const gone = new AbortController();
    const asleep = inSnapshot(
      async (query) => {
        const [[id] = []] = await query(who);
        backend = id;
        return query(sleep(30));
      },
      true,
      { signal: gone.signal, rest: null },
    );
    await expect.poll(runningQuery).toBe(sleep(30).text);
    gone.abort();
    await expect(asleep).rejects.toMatchObject({ code: '57014' });
    expect(await runningQuery()).not.toBe(sleep(30).text);

    // The work itself notices between two queries, and other work of the pool goes on.
    const before = inSnapshot((query) => query(sum), true, { signal: gone.signal, rest: null });
    await expect(before).rejects.toThrow('aborted');
    expect(await inSnapshot((query) => query(sum), true)).toEqual([[3]]);
  });

  it('end at the server also while long ones have all connections', async () => {
    const small = poolOf(2);
    const inSmall = sharedSnapshots(small, cancelling);
    const gone = new AbortController();
    const asleep = [gone.signal, null].map((signal) =>
      inSmall((query) => query(sleep(3)), true, { signal, rest: null }),
    );
    await expect.poll(() => small.totalCount - small.idleCount).toBe(2);
    await expect.poll(() => sleeping()).toBe(2);
    gone.abort();
    const [abandoned, other] = await Promise.allSettled(asleep);
    expect(abandoned).toMatchObject({ status: 'rejected', reason: { code: '57014' } });
    expect(other).toMatchObject({ status: 'fulfilled' });
    await small.end();
  });

  it('leave their connection to others when they are given up, and begin nothing after it', async () => {
    const single = poolOf(1);
    const inSingle = sharedSnapshots(single, cancelling);
    const [[backend] = []] = await inSingle((query) => query(who), false);
    const gone = new AbortController();
    const asleep = inSingle((query) => query(sleep(20)), true, { signal: gone.signal, rest: null });
    await expect.poll(sleeping).toBe(1);
    let begun = 0;
    const behind = [true, false].map((isLong) =>
      inSingle(
        async (query) => {
          begun += 1;
          return query(sum);
        },
        isLong,
        { signal: gone.signal, rest: null },
      ),
    );
    await expect.poll(() => single.waitingCount).toBe(2);
    gone.abort();
    const after = inSingle((query) => query(who), false);
    const outcomes = await Promise.allSettled([asleep, ...behind]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(begun).toBe(0);
    expect(await after).toEqual([[backend]]);
    await single.end();
  });

  it('are not ended in place of those that were given up before them', async () => {
    const single = poolOf(1);
    const inSingle = sharedSnapshots(single, cancelling);
    const backends = new Set<unknown>();
    for (let nth = 0; nth < 100; nth += 1) {
      const gone = new AbortController();
      const short = inSingle((query) => query(sleep((nth % 10) / 2_000)), true, {
        signal: gone.signal,
        rest: null,
      });
      setTimeout(() => gone.abort(), nth % 7);
      const next = inSingle((query) => Promise.all([query(who), query(sleep(0.005))]), true);
      await Promise.allSettled([short]);
      const [[[backend] = []]] = await next;
      backends.add(backend);
    }
    expect(backends.size).toBe(1);
    await single.end();
  });

  it('are read in pieces if they are long', async () => {
    const rests: number[] = [];
    const rest = async (ms: number) => {
      rests.push(ms);
    };
    const wide = {
      name: 'wide',
      text: "select repeat('x', 1000) from generate_series(1, 50000)",
      values: [],
      isLong: true,
    };
    expect(await inSnapshot((query) => query(wide), true, { signal: null, rest })).toHaveLength(50_000);
    expect(rests.length).toBeGreaterThan(2);
    expect(rests.every((ms) => ms > 0)).toBe(true);
  });

  it('fail alone: other work of the same snapshot is run again', async () => {
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
    expect(await inSnapshot((query) => query(sum), false)).toEqual([[3]]);
  });

  it('fail by the lock that none of them got, and never by the name of a statement that was not planned', async () => {
    const client = await pool.connect();
    await client.query(`begin; lock table ${TABLE} in access exclusive mode`);
    const impatient = pipelinePool({
      ...connectionTo(inject('postgresUrl'), { lock_timeout: '200' }),
      max: 10,
    });
    const inImpatient = sharedSnapshots(impatient, cancelling);
    const asked = Array.from({ length: 8 }, () => inImpatient((query) => query(sum), false));
    const outcomes = await Promise.allSettled(asked);
    await client.query('commit');
    client.release();
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
      Array.from({ length: 8 }, () => '55P03'),
    );
    expect(await Promise.all(asked.map(() => inImpatient((query) => query(sum), false)))).toEqual(
      Array.from({ length: 8 }, () => [[3]]),
    );
    await impatient.end();
  });

  it('wait for a lock no longer than their callers do, however many share the snapshot', async () => {
    const limitOf = (waitsUntil?: number) =>
      inSnapshot((query) => query({ ...who, name: 'limit', text: 'show lock_timeout' }), false, {
        signal: null,
        rest: null,
        waitsUntil,
      });
    expect(await limitOf()).toEqual([['0']]);
    const [[limit] = []] = await limitOf(performance.now());
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
          { signal: null, rest: null, waitsUntil: performance.now() },
        ),
      ),
    );
    await client.query('commit');
    client.release();
    expect(outcomes).toMatchObject(runs.map(() => ({ status: 'rejected', reason: { code: '55P03' } })));
    expect(runs).toEqual([1, 1, 1]);
  });

  it('wait for a connection no longer than their callers do, and leave it to others', async () => {
    const single = poolOf(1);
    const inSingle = sharedSnapshots(single, cancelling);
    const long = inSingle((query) => query(sleep(2)), true);
    await expect.poll(() => single.totalCount - single.idleCount).toBe(1);
    const late = inSingle((query) => query(sum), false, {
      signal: null,
      rest: null,
      waitsUntil: performance.now(),
    });
    const first = await Promise.race([long, late.catch((error: unknown) => error)]);
    expect(isPoolFull(first)).toBe(true);
    await long;
    expect(await inSingle((query) => query(sum), false)).toEqual([[3]]);
    await single.end();
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
      // It may fail before it is awaited.
      asleep.catch(() => {});
      await pool.query('select pg_terminate_backend($1)', [pid]);
      return asleep;
    }, false);
    const [outcome] = await Promise.allSettled([broken]);
    expect(outcome.status).toBe('rejected');
    expect(await inSnapshot((query) => query(sum), false)).toEqual([[3]]);
  });
});
