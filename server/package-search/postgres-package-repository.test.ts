import { afterAll, beforeAll, expect, it } from 'vitest';
import { ONE_DAY_QUERY } from '../../tests/fixtures/one-day-query.ts';
import { withClient } from '../../tests/fixtures/postgres.ts';
import { FIRST_DAY, REFERENCE } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../../tests/fixtures/test-stores.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { offerTable } from '../inventory/tables/open-offer-table.ts';
import { writeReferenceTables } from '../inventory/tables/reference-tables.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { openDatabase } from '../storage/open/database.ts';
import { type ReadPool, readPool } from '../storage/postgres/read-pool.ts';
import type { OfferFilters, PackageRepository } from './package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';
import { INTERNAL_SEARCH, type SearchCaller } from './search-caller.ts';

const WITHOUT_CITUS = {
  isCitus: false,
  silentFor: new Set<number>(),
  silentGroups: new Set<number>(),
  groupsOf: () => null,
  losses: 0,
};

/** To look through them takes several times as long as others may have to wait. */
const BLOCKS = 9_000;

const KEY = [FIRST_DAY, 7, 1, 1, 1, 1, 1, 1, 1, 1, 1] as const;
const OFFER: OfferRow = [...KEY, 30_000, null, 7, 450, 1, 2, 0, (FIRST_DAY + 1) * 1_440, 1, null];

const A_MONTH: OfferFilters = {
  ...ONE_DAY_QUERY,
  countries: null,
  regions: null,
  resorts: null,
  firstDay: FIRST_DAY - 40,
  lastDay: FIRST_DAY + 40,
  lastReturnDay: FIRST_DAY + 60,
};

const PAGE = { sort: 'PRICE_ASC', limit: 3, after: null, knownCount: null } as const;

let store: TestStore;
let reads = 0;
let repository: PackageRepository;
/** The searches that had a turn: whether each has a connection of its own, and how long it says that this worked. */
let turns: { isLong: boolean; took: number | null }[] = [];
beforeAll(async () => {
  store = await makeStore('postgresql');
  const database = openDatabase(store.address);
  writeReferenceTables(database, REFERENCE);
  database.exec('insert into stay (nights) values (7)');
  const table = offerTable(database, { runs: null });
  inTransaction(database, () => {
    table.write([OFFER]);
    table.writeBlocks();
  });
  // Copies of its block at other resorts.
  database.exec(`insert into price_block
      (party, nights, month, airport, country, region, resort, lowest, lowest_day, expires_at, hotels, cells)
    select party, nights, month, airport, country, region, 1000 + n, lowest, lowest_day, expires_at, hotels, cells
    from price_block cross join generate_series(1, ${BLOCKS}) as n`);
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
  repository = postgresPackageRepository(counted, WITHOUT_CITUS, (_caller, isLong, work) => {
    const turn: (typeof turns)[number] = { isLong, took: null };
    turns.push(turn);
    return work(new AbortController().signal, (_ms, processorMs) => {
      turn.took = processorMs ?? null;
    });
  });
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

it.each([
  [
    'a calendar',
    (caller: SearchCaller) => repository.lowestPrices(() => ({ ...A_MONTH, per: 'day', most: null }), caller),
  ],
  [
    'places',
    (caller: SearchCaller) =>
      repository.lowestPrices(() => ({ ...A_MONTH, per: 'resort', most: null }), caller),
  ],
  [
    'the best of each hotel',
    (caller: SearchCaller) =>
      repository.search(() => [{ ...A_MONTH, ...PAGE, collapse: 'hotel', ties: 'in-order' }], caller),
  ],
])('what %s finds is read and looked through in pieces, for whoever asks', async (_what, ask) => {
  await repository.catalogue();
  /** Rests between the rows, which others have read before, and those behind what has been read. */
  const rests = { between: 0, behind: 0 };
  await ask({
    ...INTERNAL_SEARCH,
    async rest(ms) {
      rests[ms === 0 ? 'between' : 'behind'] += 1;
    },
  });
  expect(rests.between).toBeGreaterThan(0);
  expect(rests.behind).toBeGreaterThan(0);
});

it.each([
  ['a day of one place', {}, false],
  ['the same in a request that costs more than a small one', { requestUnits: 101 }, true],
  ['the same for a network that is held back', { isHeldBack: true }, true],
])('the connection is shared by what is small: %s', async (_what, caller, isLong) => {
  await repository.catalogue();
  turns = [];
  const query = { ...ONE_DAY_QUERY, ...PAGE, collapse: 'hotel', ties: 'in-order' } as const;
  await repository.search(() => [query], { ...INTERNAL_SEARCH, ...caller });
  expect(turns).toEqual([{ isLong, took: isLong ? expect.any(Number) : null }]);
});

it('says how long the connection of a search worked, without its rests', async () => {
  await repository.catalogue();
  turns = [];
  let rested = 0;
  const from = performance.now();
  await repository.lowestPrices(() => ({ ...A_MONTH, per: 'day', most: null }), {
    ...INTERNAL_SEARCH,
    async rest(ms) {
      if (ms > 0 || rested > 0) return;
      const restedFrom = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 200));
      rested = performance.now() - restedFrom;
    },
  });
  const all = performance.now() - from;
  expect(rested).toBeGreaterThan(0);
  expect(turns).toEqual([{ isLong: true, took: expect.any(Number) }]);
  expect(turns[0]?.took).toBeGreaterThan(0);
  expect(turns[0]?.took).toBeLessThan(all - rested);
});

it('does not wait for a lock on behalf of a caller who has waited long enough in queues', async () => {
  await repository.catalogue();
  const { address } = store;
  if (address.kind !== 'postgresql') throw new Error('No address of a server');
  const query = { ...ONE_DAY_QUERY, ...PAGE, collapse: 'hotel', ties: 'in-order' } as const;
  await withClient(address.url, async (locking) => {
    await locking.query('begin; lock table offer in access exclusive mode');
    const asked = repository.search(() => [query], { ...INTERNAL_SEARCH, waitsUntil: performance.now() });
    const refused = expect(asked).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await locking.query('select pg_sleep(0.8)');
    await locking.query('commit');
    await refused;
  });
});

it('does not say that a search has worked for as long as it waited for a lock', async () => {
  await repository.catalogue();
  turns = [];
  const { address } = store;
  if (address.kind !== 'postgresql') throw new Error('No address of a server');
  await withClient(address.url, async (locking) => {
    await locking.query('begin; lock table price_block in access exclusive mode');
    const asked = repository.lowestPrices(() => ({ ...A_MONTH, per: 'day', most: null }));
    await locking.query('select pg_sleep(0.6)');
    await locking.query('commit');
    await asked;
  });
  expect(turns).toEqual([{ isLong: true, took: expect.any(Number) }]);
  expect(turns[0]?.took).toBeLessThanOrEqual(200);
});
