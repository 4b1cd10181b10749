import pg from 'pg';
import { expect, it } from 'vitest';
import { withClient } from '../../../tests/fixtures/postgres.ts';
import { emptyDatabase } from '../../../tests/fixtures/test-databases.ts';
import { connectionTo } from './client.ts';

/** What an administrator may have set for all databases, and a connection must not inherit. */
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

it('has what it needs whatever the defaults of the database are', async () => {
  const { url } = await databaseWithOtherDefaults();
  const client = new pg.Client(connectionTo(url, {}));
  await client.connect();
  const { rows } = await client.query(
    `select current_setting('extra_float_digits') as digits, current_setting('transaction_isolation') as isolation,
      current_setting('statement_timeout') as timeout, 51.12345678901234::float8 as latitude`,
  );
  await client.end();
  expect(rows).toEqual([
    { digits: '1', isolation: 'read committed', timeout: '0', latitude: 51.12345678901234 },
  ]);
});
