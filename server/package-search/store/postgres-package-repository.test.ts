import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ONE_DAY_QUERY } from '../../../tests/fixtures/one-day-query.ts';
import { withClient } from '../../../tests/fixtures/postgres.ts';
import { FIRST_DAY, REFERENCE } from '../../../tests/fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../../../tests/fixtures/test-stores.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { offerTable } from '../../inventory/tables/offer-table.ts';
import { writeReferenceTables } from '../../inventory/tables/reference-tables.ts';
import { deadlineIn } from '../../lib/deadline.ts';
import { openDatabase } from '../../storage/open/database.ts';
import { type ReadPool, readPool } from '../../storage/postgres/read-pool.ts';
import { INTERNAL_SEARCH, type PackageRepository } from '../query/package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';
import { postgresQueue } from './wide-search.ts';

const KEY = [FIRST_DAY, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1] as const;
const OFFER: OfferRow = [...KEY, 30_000, null, 7, 450, 1, 2, 0, (FIRST_DAY + 1) * 1_440, 1, null, 0, 0];

const PAGE = { sort: 'PRICE_ASC', limit: 3, after: null, knownCount: null } as const;

let store: TestStore;
let reads = 0;
const queue = postgresQueue();
let repository: PackageRepository;
beforeAll(async () => {
  store = await makeStore('postgresql');
  const database = await openDatabase(store.address);
  await writeReferenceTables(database, REFERENCE);
  await database.exec('insert into stay (nights) values (7)');
  await database.write('records', async (tx) => {
    const table = await offerTable(tx, { runs: null });
    await table.write([OFFER]);
    await table.writeBlocks();
  });
  await database.close();
  if (store.address.kind !== 'postgresql') throw new Error('No address of a server');
  const pool = readPool(store.address);
  const counted: ReadPool = {
    ...pool,
    read(...asked) {
      reads += 1;
      return pool.read(...asked);
    },
    readNewest(work) {
      reads += 1;
      return pool.readNewest(work);
    },
  };
  repository = postgresPackageRepository(counted, queue);
});
afterAll(async () => {
  await repository.close();
  await store.remove();
});

it.each([
  ['the dictionaries', () => repository.catalogue()],
  ['the version', () => repository.referenceVersion()],
  [
    'the positions of a version',
    async () => repository.resortPositions((await repository.catalogue()).version),
  ],
])('%s are read once for concurrent callers, then cached', async (_what, ask) => {
  // Reads the version that the positions belong to.
  await repository.catalogue();
  reads = 0;
  const asked = Array.from({ length: 20 }, () => ask());
  const found = await Promise.all([...asked, ask()]);
  expect(new Set(found).size).toBe(1);
  expect(reads).toBeLessThanOrEqual(1);
});

it.each([
  ['a day of one place', 50, 0],
  ['the same in a request that costs more than a small one', 101, 1],
])('queues searches that need their own connection: %s', async (_what, units, queued) => {
  await repository.catalogue();
  const run = vi.spyOn(queue, 'run');
  const query = { ...ONE_DAY_QUERY, ...PAGE, collapse: 'hotel', ties: 'in-order' } as const;
  await repository.search(() => [query], { ...INTERNAL_SEARCH, units });
  expect(run).toHaveBeenCalledTimes(queued);
  run.mockRestore();
});

it('does not wait for a lock for a caller whose deadline has passed', async () => {
  await repository.catalogue();
  const { address } = store;
  if (address.kind !== 'postgresql') throw new Error('No address of a server');
  const query = { ...ONE_DAY_QUERY, ...PAGE, collapse: 'hotel', ties: 'in-order' } as const;
  await withClient(address.url, async (locking) => {
    await locking.query('begin; lock table offer in access exclusive mode');
    const asked = repository.search(() => [query], { ...INTERNAL_SEARCH, deadline: deadlineIn(0) });
    await expect(asked).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await locking.query('rollback');
  });
});
