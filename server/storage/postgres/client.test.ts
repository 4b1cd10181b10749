import { expect, it } from 'vitest';
import { startPooler } from '../../../tests/fixtures/pooler.ts';
import { withClient } from '../../../tests/fixtures/postgres.ts';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { openClient, openPool } from './client.ts';

/** Defaults that an administrator may have set, and that connections must not use. */
const OTHER_DEFAULTS = {
  extra_float_digits: '-6',
  default_transaction_isolation: "'repeatable read'",
  statement_timeout: '50',
};

async function databaseWithOtherDefaults() {
  const address = await emptyDatabase();
  const { pathname } = new URL(address.url);
  await withClient(address.url, async (client) => {
    for (const [name, value] of Object.entries(OTHER_DEFAULTS)) {
      await client.query(`alter database ${pathname.slice(1)} set ${name} = ${value}`);
    }
  });
  return address;
}

const QUESTION = `select current_setting('extra_float_digits') as digits,
    current_setting('transaction_isolation') as isolation, current_setting('statement_timeout') as timeout,
    current_setting('citus.node_connection_timeout') as citus,
    51.12345678901234::float8 as latitude`;
const NEEDED = {
  digits: '1',
  isolation: 'read committed',
  timeout: '0',
  citus: '1500',
  latitude: 51.12345678901234,
};

/** A URL that has its own options. */
function withOptions(url: string): string {
  const address = new URL(url);
  address.searchParams.set('options', '-c search_path=sky,\\ public');
  return address.href;
}

const SETTINGS = { 'citus.node_connection_timeout': '1500' };

it("gets the settings it needs, whatever the database's defaults", async () => {
  const { url } = await databaseWithOtherDefaults();
  const client = await openClient(withOptions(url), SETTINGS);
  const [row] = (await client.query(QUESTION)).rows;
  const { rows: path } = await client.query('show search_path');
  await client.end();
  expect(row).toEqual(NEEDED);
  expect(path).toEqual([{ search_path: 'sky, public' }]);
});

it('gets the settings it needs behind a pooler that drops startup options', async () => {
  const { url } = await databaseWithOtherDefaults();
  const pooler = await startPooler(url);
  const client = await openClient(pooler.urlOf(url), SETTINGS);
  expect((await client.query(QUESTION)).rows).toEqual([NEEDED]);
  await client.end();
  const pool = openPool(pooler.urlOf(url), SETTINGS, { max: 2, pipeline: true });
  expect((await pool.query(QUESTION)).rows).toEqual([NEEDED]);
  await pool.end();
  await pooler.close();
});

it('reports why it cannot connect', async () => {
  await expect(openClient('postgresql://skylark@127.0.0.1:1/none', {})).rejects.toThrow('ECONNREFUSED');
});
