import { expect, inject, it, onTestFinished } from 'vitest';
import { readPool } from './read-pool.ts';
import type { PostgresConnections } from './server.ts';

const CONNECTIONS = 10;

/** Ends with a failure that says nothing about the server. */
const sleepAndFail = (seconds: number) => ({
  name: 'sleep and fail',
  text: 'select 1 / case when pg_sleep($1) is null then 1 else 0 end',
  values: [seconds],
  isLong: true,
});

it('does not skip a server whose connections were all busy', async () => {
  const primary = inject('postgresUrl');
  const replica = new URL(primary);
  replica.pathname = '/template1';
  const pool = readPool({ kind: 'postgresql', url: primary, readUrls: [replica.href] });
  onTestFinished(() => pool.close());
  const where = ({ query }: PostgresConnections) =>
    query({ name: 'where', text: 'select current_database()', values: [], isLong: true });
  const busy = Promise.allSettled(
    Array.from({ length: CONNECTIONS }, () => pool.read(({ query }) => query(sleepAndFail(4)))),
  );
  // What has waited too long is answered by another server.
  expect(await pool.read(where)).toEqual([[new URL(primary).pathname.slice(1)]]);
  await busy;
  expect(await pool.read(where)).toEqual([['template1']]);
}, 20_000);
