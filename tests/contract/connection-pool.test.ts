import { describe, expect, it, onTestFinished } from 'vitest';
import { writeReferenceTables } from '../../server/inventory/tables/reference-tables.ts';
import type { PackageQuery } from '../../server/package-search/query/package-repository.ts';
import { INTERNAL_SEARCH } from '../../server/package-search/query/package-repository.ts';
import { openPackageRepository } from '../../server/package-search/store/open-package-repository.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { ONE_DAY_QUERY } from '../fixtures/one-day-query.ts';
import { withClient } from '../fixtures/postgres.ts';
import { SHARED_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { REFERENCE } from '../fixtures/small-inventory.ts';
import { makeStore } from '../fixtures/test-stores.ts';
import { readersOf } from '../fixtures/test-threads.ts';

const ONE_DAY: PackageQuery = {
  ...ONE_DAY_QUERY,
  sort: 'PRICE_ASC',
  limit: 3,
  after: null,
  knownCount: null,
  collapse: 'hotel',
  ties: 'in-order',
};
const A_WEEK = { ...ONE_DAY, lastDay: ONE_DAY.firstDay + 6 };

/** More than the connections to a database server. */
const CLIENTS = 12;

describe.each(SHARED_STORE_KINDS)('Searches that each hold a connection, %s', (kind) => {
  it.each([
    [
      'windows of a week',
      (repository: Repository, caller: Caller) => repository.search(() => [A_WEEK], caller),
    ],
    [
      'calendars',
      (repository: Repository, caller: Caller) =>
        repository.lowestPrices(() => ({ ...A_WEEK, per: 'day', most: null }), caller),
    ],
  ])('leave connections for exact dates, however small they are: %s', async (_what, searchLong) => {
    const store = await makeStore(kind);
    const database = await openDatabase(store.address);
    await writeReferenceTables(database, REFERENCE);
    await database.close();
    const repository = await openPackageRepository(store.address, readersOf(store.address));
    onTestFinished(async () => {
      await repository.close();
      await store.remove();
    });
    if (store.address.kind !== 'postgresql') throw new Error('No address of a server');
    await repository.search(() => [ONE_DAY]);
    const { url } = store.address;
    await withClient(url, async (other) => {
      await other.query('begin');
      await other.query('lock table price_block in access exclusive mode');
      const long = Array.from({ length: CLIENTS }, (_, nth) => {
        return searchLong(repository, { ...INTERNAL_SEARCH, client: `client ${nth}` });
      });
      const outcomes = Promise.allSettled(long);
      await expect.poll(() => waitingForLock(url), { timeout: 10_000 }).toBeGreaterThanOrEqual(4);
      expect((await repository.search(() => [ONE_DAY])).pages).toHaveLength(1);
      await other.query('rollback');
      await outcomes;
    });
  });
});

function waitingForLock(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%price_block%'`,
    );
    return rows.length;
  });
}

type Repository = Awaited<ReturnType<typeof openPackageRepository>>;
type Caller = typeof INTERNAL_SEARCH;
