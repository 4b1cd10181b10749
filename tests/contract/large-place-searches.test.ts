import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { offerTable } from '../../server/inventory/tables/offer-table.ts';
import {
  renewReferenceVersion,
  writeReferenceTables,
} from '../../server/inventory/tables/reference-tables.ts';
import type { OfferFilters, PackageQuery } from '../../server/package-search/query/package-repository.ts';
import type { VersionedPositions } from '../../server/package-search/query/resort-positions.ts';
import {
  type SqlitePackageRepository,
  sqlitePackageRepository,
} from '../../server/package-search/store/sqlite-package-repository.ts';
import type { WideSearches } from '../../server/package-search/store/wide-search.ts';
import { openDatabase, openDatabaseForReading } from '../../server/storage/open/database.ts';
import { FIRST_DAY, REFERENCE } from '../fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../fixtures/test-stores.ts';

const HOTELS = 10_001;
const LARGE_PLACE = { resort: 1, region: 1, country: 1 };
const BUSY_HOTELS = 4_000;
const BUSY = { resort: 2, region: 2, country: 1 };
const SMALL_PLACE = { resort: 4, region: 3, country: 2 };

let store: TestStore;
let thread: SqlitePackageRepository;
beforeAll(async () => {
  store = await makeStore('embedded');
  const database = await openDatabase(store.address);
  const [hotel] = REFERENCE.hotels;
  if (hotel === undefined) throw new Error('The market has no hotel');
  const hotels = Array.from({ length: HOTELS }, (_, nth) => ({
    ...hotel,
    id: nth + 1,
    code: `H-${nth + 1}`,
  }));
  await writeReferenceTables(database, { ...REFERENCE, hotels });
  await database.exec('insert into stay (nights) values (7)');
  await database.write('records', async (tx) => {
    const table = await offerTable(tx, { runs: null });
    await table.write(hotels.map(({ id }) => offerOf(id, LARGE_PLACE)));
    await table.write(hotels.slice(0, BUSY_HOTELS).map(({ id }) => offerOf(id, BUSY)));
    await table.write([offerOf(1, SMALL_PLACE)]);
    await table.writeBlocks();
  });
  await database.close();
  thread = sqlitePackageRepository(openDatabaseForReading(store.address));
});
afterAll(async () => {
  await thread.close();
  await store.remove();
});

it('looks up the positions of 10,001 hotels once, in another thread', async () => {
  const { repository, leftToThread } = withThread();
  const version = await repository.referenceVersion();
  const positions = await repository.resortPositions(version);
  expect(positions.get(LARGE_PLACE.resort)?.hotels).toBe(HOTELS);
  expect(await repository.resortPositions(version)).toBe(positions);
  expect(leftToThread()).toBe(1);
  await repository.close();
});

it('keeps no snapshot open while it waits for positions', async () => {
  const found = Promise.withResolvers<VersionedPositions>();
  const { repository } = withThread({ resortPositionsFor: () => found.promise });
  const version = await repository.referenceVersion();
  const waiting = repository.resortPositions(version);
  const database = await openDatabase(store.address);
  await renewReferenceVersion(database);
  await database.close();
  expect(await repository.referenceVersion()).not.toBe(version);
  found.resolve({ version, positions: new Map() });
  expect((await waiting).size).toBe(0);
  await repository.close();
});

it('searches a small place in the main thread', async () => {
  const { repository, leftToThread } = withThread();
  const { pages } = await repository.search(() => [searchOf(SMALL_PLACE)]);
  expect(pages.map(({ count }) => count)).toEqual([1]);
  expect(leftToThread()).toBe(0);
  await repository.close();
});

it('looks up the parties on sale in another thread', async () => {
  const { repository, leftToThread } = withThread();
  const dayBefore = (FIRST_DAY - 1) * 86_400_000;
  expect(await repository.partiesOnSale(dayBefore)).toEqual([{ adults: 2, children: 0, infants: 0 }]);
  expect(leftToThread()).toBe(1);
  await repository.close();
});

/** A repository that has not searched yet, and the number of searches it has passed to another thread. */
function withThread(instead: Partial<WideSearches> = {}) {
  let left = 0;
  const repository = sqlitePackageRepository(openDatabaseForReading(store.address), {
    searchFor(queries) {
      left += 1;
      return thread.searchFor(queries);
    },
    lowestPricesFor(query) {
      left += 1;
      return thread.lowestPricesFor(query);
    },
    resortPositionsFor() {
      left += 1;
      return thread.resortPositionsFor();
    },
    partiesOnSale(nowMs) {
      left += 1;
      return thread.partiesOnSale(nowMs);
    },
    ...instead,
  });
  return { repository, leftToThread: () => left };
}

function searchOf({ country, region, resort }: typeof LARGE_PLACE): PackageQuery {
  const filters: OfferFilters = {
    providers: null,
    countries: [country],
    regions: [region],
    resorts: [resort],
    airports: [1],
    firstDay: FIRST_DAY,
    lastDay: FIRST_DAY,
    lastReturnDay: FIRST_DAY + 7,
    nights: [7],
    party: 1,
    boards: null,
    halfStars: null,
    now: 0,
  };
  const page = { sort: 'PRICE_ASC', limit: 3, after: null, knownCount: null } as const;
  return { ...filters, ...page, collapse: 'hotel', ties: 'in-order' };
}

function offerOf(hotel: number, { country, region, resort }: typeof LARGE_PLACE): OfferRow {
  const expiresAt = (FIRST_DAY + 1) * 1_440;
  const price = 30_000 + hotel;
  const flight = [450, 1, 2, 0] as const;
  const key = [FIRST_DAY, 7, 1, country, region, resort, 1, hotel, 1, 1, 1] as const;
  return [...key, price, null, 7, ...flight, expiresAt, 1, null, 0, 0];
}
