import { expect, inject, it, onTestFinished } from 'vitest';
import { withClient } from '../../../tests/fixtures/postgres.ts';
import { startSilentProxy } from '../../../tests/fixtures/silent-proxy.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import { openClient } from './client.ts';
import { readPool } from './read-pool.ts';
import type { PostgresConnections } from './server.ts';

const CONNECTIONS = 10;

/** Fails in a way that does not suggest that the server is down. */
const sleepAndFail = (seconds: number) => ({
  text: 'select 1 / case when pg_sleep($1) is null then 1 else 0 end',
  values: [seconds],
});

it('does not skip a server whose connections were all busy', async () => {
  const primary = inject('postgresUrl');
  const replica = new URL(primary);
  replica.pathname = '/template1';
  const pool = readPool({ kind: 'postgresql', url: primary, readUrls: [replica.href] });
  onTestFinished(() => pool.close());
  const where = ({ query }: PostgresConnections) => query({ text: 'select current_database()', values: [] });
  const busy = Promise.allSettled(
    Array.from({ length: CONNECTIONS }, () =>
      pool.read('none', ({ inSnapshot }) => inSnapshot((query) => query(sleepAndFail(4)), true)),
    ),
  );
  // Another server responds to the read that waited too long.
  expect(await pool.read('none', where)).toEqual([[new URL(primary).pathname.slice(1)]]);
  await busy;
  expect(await pool.read('none', where)).toEqual([['template1']]);
}, 20_000);

it('does not query a server that is known to be silent until its heartbeat returns', async () => {
  const proxy = await startSilentProxy(new URL(inject('postgresUrl')));
  const pool = readPool({ kind: 'postgresql', url: proxy.url, readUrls: [] });
  onTestFinished(async () => {
    await pool.close();
    await proxy.stop();
  });
  const one = ({ query }: PostgresConnections) => query({ text: 'select 1', values: [] });
  expect(await pool.read('none', one)).toEqual([[1]]);
  void proxy.fallSilent();
  let asked = 0;
  const ask = () =>
    pool.read('none', (server) => {
      asked += 1;
      return one(server);
    });
  await expect(ask()).rejects.toBeInstanceOf(StoreUnavailable);
  asked = 0;
  // A query that waited for I/O would need more turns of the event loop.
  const outcome = await Promise.race([
    ask().catch((error: unknown) => error),
    new Promise((resolve) => setImmediate(resolve)),
  ]);
  expect(outcome).toBeInstanceOf(StoreUnavailable);
  expect(asked).toBe(0);
  proxy.speakAgain();
  await expect.poll(() => ask().catch(() => null), { timeout: 20_000 }).toEqual([[1]]);
}, 30_000);

it('waits once and briefly for a locked table, and skips no server because of it', async () => {
  const url = inject('postgresUrl');
  const primary = new URL(url);
  primary.pathname = '/postgres';
  const locker = await openClient(url, {});
  const pool = readPool({ kind: 'postgresql', url: primary.href, readUrls: [url] });
  onTestFinished(async () => {
    await pool.close();
    await locker.end();
    await withClient(url, (client) => client.query('drop table read_pool_test'));
  });
  await locker.query('create table read_pool_test (value integer)');
  await locker.query('begin; lock table read_pool_test in access exclusive mode');
  const asked: unknown[] = [];
  const ask = (text: string) =>
    pool.read('none', (server) => {
      asked.push(text);
      return server.query({ text, values: [] });
    });
  await expect(ask('select value from read_pool_test')).rejects.toMatchObject({
    name: 'StoreUnavailable',
    cause: { code: '55P03' },
  });
  expect(asked).toHaveLength(1);
  expect(await ask('select current_database()')).toEqual([[new URL(url).pathname.slice(1)]]);
}, 20_000);
