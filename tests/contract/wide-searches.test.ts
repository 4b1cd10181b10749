import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { monthOfDay } from '../../domain/month.ts';
import { SORT_OPTIONS } from '../../domain/sort-by.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { totalPrice } from '../../server/inventory/offer-charges.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { offerTable } from '../../server/inventory/tables/offer-table.ts';
import { writeReferenceTables } from '../../server/inventory/tables/reference-tables.ts';
import { removeAllOffers } from '../../server/inventory/tables/remove-offers.ts';
import type {
  LowestPrice,
  PackageQuery,
  PackageRepository,
  PricesPer,
} from '../../server/package-search/query/package-repository.ts';
import { openPackageRepository } from '../../server/package-search/store/open-package-repository.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { anyOffers } from '../fixtures/any-offers.ts';
import { maybePlaces } from '../fixtures/any-places.ts';
import { FIRST_DAY, SHUFFLED_REFERENCE as REFERENCE } from '../fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../fixtures/test-stores.ts';
import { readersOf } from '../fixtures/test-threads.ts';
import { naiveSearch } from './suites/naive-search.ts';

const someOf = (...ids: number[]) => fc.option(fc.subarray(ids, { minLength: 1 }));

/** Windows of more than a few days. Some packages expire before departure, some at it or after it. */
const anyWeeks: fc.Arbitrary<PackageQuery> = fc
  .record({
    providers: someOf(1, 2),
    countries: someOf(1, 2),
    regions: someOf(1, 2, 3),
    resorts: someOf(1, 2, 3, 4),
    airports: fc.subarray([1, 2, 3], { minLength: 1 }),
    firstDay: fc.integer({ min: FIRST_DAY - 6, max: FIRST_DAY - 1 }),
    lastDay: fc.integer({ min: FIRST_DAY + 2, max: FIRST_DAY + 20 }),
    lastReturnDay: fc.integer({ min: FIRST_DAY + 3, max: FIRST_DAY + 30 }),
    nights: someOf(4, 5, 7),
    places: maybePlaces,
    party: fc.constantFrom(1, 2),
    boards: someOf(1, 2),
    halfStars: someOf(7, 8),
    now: fc.constantFrom(0, (FIRST_DAY - 5) * 1_440, (FIRST_DAY - 1) * 1_440 - 120, (FIRST_DAY + 1) * 1_440),
    sort: fc.constantFrom(...SORT_OPTIONS.map(({ packageSort }) => packageSort)),
    limit: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ places, ...query }) => ({
    ...query,
    ...places,
    collapse: 'hotel',
    ties: 'in-order',
    after: null,
    knownCount: null,
  }));

/** Windows of whole months without a filter, for which searches read less data. */
const anyMonths: fc.Arbitrary<PackageQuery> = fc
  .record({
    query: anyWeeks,
    before: fc.integer({ min: 20, max: 80 }),
    after: fc.integer({ min: 20, max: 80 }),
    sort: fc.constantFrom<PackageQuery['sort']>('PRICE_ASC', 'PRICE_DESC'),
    // At some of these times, packages have already expired before their month begins.
    daysAgo: fc.constantFrom(0, 8, 40),
  })
  .map(({ query, before, after, sort, daysAgo }) => ({
    ...query,
    firstDay: FIRST_DAY - before,
    lastDay: FIRST_DAY + after,
    lastReturnDay: FIRST_DAY + after + 14,
    providers: null,
    boards: null,
    halfStars: null,
    now: query.now - daysAgo * 1_440,
    sort,
  }));

const anyWideQuery = fc.oneof(anyWeeks, anyMonths);

for (const kind of STORE_KINDS) {
  describe(`Searches over weeks in the ${kind} store`, () => {
    let store: TestStore;
    let database: SqlDatabase;
    let repository: PackageRepository;
    beforeAll(async () => {
      store = await makeStore(kind);
      repository = await openPackageRepository(store.address, readersOf(store.address));
      database = await openDatabase(store.address);
      await writeReferenceTables(database, REFERENCE);
      await database.exec('insert into stay (nights) values (4), (7)');
    });
    afterAll(async () => {
      await repository.close();
      await database.close();
      await store.remove();
    });

    async function fill(offers: readonly OfferRow[]): Promise<void> {
      await database.write('records', async (tx) => {
        await removeAllOffers(tx);
        const table = await offerTable(tx, { runs: null });
        await table.write(offers);
        await table.writeBlocks();
      });
    }

    it('return the same as a search of every offer, on every page', async () => {
      await fc.assert(
        fc.asyncProperty(
          anyOffers(120),
          fc.array(anyWideQuery, { minLength: 5, maxLength: 5 }),
          async (offers, queries) => {
            await fill(offers);
            for (const query of queries) {
              expect(await everyPage(repository, query)).toEqual(naiveSearch(offers, query, REFERENCE));
            }
          },
        ),
        { numRuns: 40 },
      );
    });

    it('find the lowest price of each day, and of each place and month, up to a price', async () => {
      await fc.assert(
        fc.asyncProperty(
          anyOffers(120),
          anyWideQuery,
          fc.record({
            per: fc.constantFrom<PricesPer>('day', 'board', 'country', 'region', 'resort'),
            most: fc.option(
              fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 25 - 1 })),
            ),
          }),
          async (offers, query, { per, most }) => {
            await fill(offers);
            const { prices } = await repository.lowestPrices(() => ({ ...query, per, most }));
            const cheap = naivePrices(offers, query, per).filter(({ price }) => price <= (most ?? price));
            expect([...prices]).toEqual(cheap);
          },
        ),
        { numRuns: 80 },
      );
    });
  });
}

async function everyPage(repository: PackageRepository, query: PackageQuery): Promise<OfferRow[]> {
  const found: OfferRow[] = [];
  let { after } = query;
  for (;;) {
    const { pages } = await repository.search(() => [{ ...query, after }]);
    const [page] = pages;
    if (page === undefined) throw new Error('There is no page for the query');
    found.push(...page.offers.map(({ row }) => row));
    if (page.next === null) {
      expect(page.count).toBe(found.length);
      return found;
    }
    after = page.next;
  }
}

function naivePrices(offers: readonly OfferRow[], query: PackageQuery, per: PricesPer): LowestPrice[] {
  const byPrice = naiveSearch(offers, { ...query, collapse: 'none' }, REFERENCE).toSorted(
    (one, other) =>
      totalPrice(one) - totalPrice(other) ||
      [0, 1, 3, 4, 5]
        .map((column) => Number(one[column]) - Number(other[column]))
        .find((value) => value !== 0) ||
      0,
  );
  const nameOf = (offer: OfferRow) =>
    per === 'day'
      ? offer[OFFER.departureDay]
      : `${offer[OFFER[per]]} ${monthOfDay(offer[OFFER.departureDay])}`;
  return [...Map.groupBy(byPrice, nameOf).values()]
    .flatMap(([cheapest]) => (cheapest === undefined ? [] : [cheapest]))
    .map((offer) => {
      const [day, nights, , country, region, resort] = offer;
      const board = per === 'board' && { board: offer[OFFER.board] };
      return { day, nights, price: totalPrice(offer), country, region, resort, ...board };
    })
    .toSorted((one, other) =>
      per === 'day' ? one.day - other.day : (one[per] ?? 0) - (other[per] ?? 0) || one.day - other.day,
    );
}
