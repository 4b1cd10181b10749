import { afterAll, beforeAll, expect, it } from 'vitest';
import { REFERENCE } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { writeReferenceTables } from '../inventory/tables/reference-tables.ts';
import { openDatabase } from '../storage/open/database.ts';
import { type ReadPool, readPool } from '../storage/postgres/read-pool.ts';
import type { PackageRepository } from './package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';

const WITHOUT_CITUS = {
  isCitus: false,
  silentFor: new Set<number>(),
  silentGroups: new Set<number>(),
  groupsOf: () => null,
  losses: 0,
};

let store: TestStore;
let reads = 0;
let repository: PackageRepository;
beforeAll(async () => {
  store = await makeStore('postgresql');
  const database = openDatabase(store.address);
  writeReferenceTables(database, REFERENCE);
  database.close();
  if (store.address.kind !== 'postgresql') throw new Error('No address of a server');
  const pool = readPool(store.address);
  const counted: ReadPool = {
    ...pool,
    read(work) {
      reads += 1;
      return pool.read(work);
    },
    readNewest(work) {
      reads += 1;
      return pool.readNewest(work);
    },
  };
  repository = postgresPackageRepository(counted, WITHOUT_CITUS, (_caller, _isLong, work) =>
    work(new AbortController().signal),
  );
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
])('%s are read once for all who ask, and not again at once', async (_what, ask) => {
  // The positions are those of its version.
  await repository.catalogue();
  reads = 0;
  const asked = Array.from({ length: 20 }, () => ask());
  const found = await Promise.all([...asked, ask()]);
  expect(new Set(found).size).toBe(1);
  expect(reads).toBeLessThanOrEqual(1);
});
