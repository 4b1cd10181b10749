import { connect, createServer, type Server, type Socket } from 'node:net';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { connectionTo } from './client.ts';
import { isTransientFailure } from './failure.ts';
import { batchQueries, pipelinePool, type QueryPostgres } from './pipeline.ts';

const WHO = { name: 'who', text: 'select pg_backend_pid()', values: [], isLong: false };

const double = (value: number, isLong = false) => ({
  name: 'double',
  text: 'select 2 * $1::int',
  values: [value],
  isLong,
});

describe('A batch of queries', () => {
  let pool: pg.Pool;
  let query: QueryPostgres;

  beforeEach(() => {
    pool = poolTo(inject('postgresUrl'));
    query = batchQueries(pool);
  });
  afterEach(() => pool.end());

  it('returns to each query its own rows', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, value) => query(double(value))));
    expect(answers).toEqual(Array.from({ length: 50 }, (_, value) => [[2 * value]]));
  });

  it('sends the queries of one turn over few connections, in one write each', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => query(WHO)));
    expect(new Set(answers.map(([row]) => row?.[0])).size).toBe(2);
  });

  it('sends no query behind a long one', async () => {
    const long = query({ name: 'long', text: 'select pg_sleep($1)', values: [2], isLong: true });
    const order = await Promise.race([long.then(() => 'long'), query(double(1)).then(() => 'quick')]);
    expect(order).toBe('quick');
    await long;
  });

  it('fails only the query that has an error', async () => {
    const divide = { name: 'divide', text: 'select 1 / $1::int', values: [0], isLong: false };
    const [one, failed, other] = await Promise.allSettled([
      query(double(1)),
      query(divide),
      query(double(3)),
    ]);
    expect(one).toMatchObject({ value: [[2]] });
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
    expect(other).toMatchObject({ value: [[6]] });
    expect(await query(double(4))).toEqual([[8]]);
  });

  it('fails each query of a statement that cannot be planned for that reason', async () => {
    const wrong = { name: 'wrong', text: 'select value from not_there', values: [], isLong: false };
    const outcomes = await Promise.allSettled([
      query(wrong),
      query(double(1)),
      query(wrong),
      query(double(2)),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { code: '42P01' } },
      { value: [[2]] },
      { reason: { code: '42P01' } },
      { value: [[4]] },
    ]);
  });

  it('checks out a connection for other work, such as a transaction', async () => {
    const client = await pool.connect();
    await client.query('begin');
    const { rows } = await client.query('select 1 as one');
    await client.query('commit');
    client.release();
    expect(rows).toEqual([{ one: 1 }]);
  });
});

describe('Queries to a server that goes away', () => {
  let gate: Gate;
  let pool: pg.Pool;
  let query: QueryPostgres;

  beforeEach(async () => {
    gate = await openGate(new URL(inject('postgresUrl')));
    const url = new URL(inject('postgresUrl'));
    url.port = String(gate.port);
    pool = poolTo(url.href);
    query = batchQueries(pool);
  });
  afterEach(async () => {
    await pool.end();
    gate.close();
  });

  it('fail as transient failures if they were on the way, and work again once it is back', async () => {
    await query(double(1));
    const sleepers = Array.from({ length: 3 }, () =>
      query({ name: 'sleep', text: 'select pg_sleep($1)', values: [20], isLong: false }),
    );
    setTimeout(() => gate.cut(), 100);
    const outcomes = await Promise.allSettled(sleepers);
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && isTransientFailure(outcome.reason)).toBe(true);
    }
    expect(await query(double(2))).toEqual([[4]]);
  });

  it('fail all together if it accepts no connection', async () => {
    gate.close();
    gate.cut();
    const outcomes = await Promise.allSettled([query(double(1)), query(double(2))]);
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && isTransientFailure(outcome.reason)).toBe(true);
    }
  });
});

function poolTo(url: string): pg.Pool {
  const pool = pipelinePool({ ...connectionTo(url, {}), max: 10, query_timeout: 15_000 });
  pool.on('error', () => {});
  return pool;
}

/** A proxy to the server whose connections can be cut. */
interface Gate {
  port: number;
  /** Breaks every connection; new ones are accepted. */
  cut(): void;
  close(): void;
}

async function openGate({ hostname, port }: URL): Promise<Gate> {
  const open = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return {
    port: address.port,
    cut() {
      for (const socket of open) socket.destroy();
    },
    close: () => server.close(),
  };
}
