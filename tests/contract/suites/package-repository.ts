import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freeChildRoom } from '../../../server/inventory/free-child-room.ts';
import type { OfferRow, ReferenceData } from '../../../server/inventory/inventory.ts';
import { CHARGES_NOTE } from '../../../server/inventory/inventory-notes.ts';
import type { OfferKey } from '../../../server/inventory/offer-columns.ts';
import { OFFER } from '../../../server/inventory/offer-columns.ts';
import type { InventoryWriter } from '../../../server/inventory/tables/inventory-writer.ts';
import type { Facets } from '../../../server/package-search/query/facets.ts';
import type {
  PackagePage,
  PackageQuery,
  PackageRepository,
} from '../../../server/package-search/query/package-repository.ts';
import type { QuerySort } from '../../../server/package-search/query/rank.ts';
import { NO_REFINEMENTS, type Refinements } from '../../../server/package-search/query/refinements.ts';
import { maybePlaces } from '../../fixtures/any-places.ts';
import { SMALL_CHARGES, withSmallCharges, withStatedCharges } from '../../fixtures/small-charges.ts';
import {
  DAYS,
  FIRST_DAY,
  NOW,
  SHUFFLED_REFERENCE,
  smallOffers as sameOffers,
} from '../../fixtures/small-inventory.ts';
import { naiveFacets, naiveSearch } from './naive-search.ts';

/** An empty store, open for writing and for searching. */
export interface OpenedStore {
  writer: InventoryWriter;
  repository: PackageRepository;
  close(): Promise<void>;
}

const SORTS: QuerySort[] = [
  'PRICE_ASC',
  'PRICE_DESC',
  'DEPARTURE_DATE_ASC',
  'DEPARTURE_DATE_DESC',
  'STAR_RATING_DESC',
  'STAR_RATING_ASC',
  'GUEST_RATING_DESC',
];

/** Records with different ratings, airlines, times and rooms. */
const REFERENCE: ReferenceData = {
  ...SHUFFLED_REFERENCE,
  hotels: SHUFFLED_REFERENCE.hotels.map((hotel) => ({
    ...hotel,
    consumerRating: hotel.id === 2 ? null : ([5.9, 7, 8.7, 9.1][hotel.id % 4] ?? null),
  })),
  flights: [
    ...SHUFFLED_REFERENCE.flights,
    ...SHUFFLED_REFERENCE.flights.map((flight) => ({
      ...flight,
      id: flight.id + 4,
      airline: 'Blue Wings',
      // Includes a minute after midnight of the next day, and an unknown one.
      departureMinute: [1_470, null, 359, 360][flight.id - 1] ?? null,
    })),
  ],
  rooms: SHUFFLED_REFERENCE.rooms.map((room) =>
    room.id === 2 ? { ...room, code: freeChildRoom(room.code) } : room,
  ),
};

function smallOffers(): OfferRow[] {
  return sameOffers().map((offer, nth) => {
    const flights = [nth % 8, Math.floor(nth / 8) % 8].map((index) => index + 1) as [number, number];
    return offer
      .with(OFFER.outboundFlight, flights[0])
      .with(OFFER.inboundFlight, flights[1]) as unknown as OfferRow;
  });
}

const EVERYTHING: PackageQuery = {
  providers: null,
  countries: null,
  regions: null,
  resorts: null,
  airports: [1, 2, 3],
  firstDay: FIRST_DAY,
  lastDay: FIRST_DAY + DAYS,
  lastReturnDay: FIRST_DAY + DAYS + 7,
  nights: null,
  party: 1,
  boards: null,
  halfStars: null,
  now: NOW / 60_000,
  sort: 'PRICE_ASC',
  collapse: 'none',
  ties: 'in-order',
  limit: 100,
  after: null,
  knownCount: null,
};

const NOBODY = 99;

const MS_A_DAY = 24 * 60 * 60 * 1000;

/** Checks a store with a small inventory against a naive search. */
export function describePackageRepository(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} keeps the contract of a package repository`, () => {
    let store: OpenedStore;
    const uncharged = withStatedCharges(smallOffers());
    const offers = withSmallCharges(uncharged);
    beforeAll(async () => {
      store = await open();
      await store.writer.writeNote(CHARGES_NOTE, JSON.stringify(SMALL_CHARGES));
      await store.writer.replaceReference(REFERENCE);
      await store.writer.writeOffers(uncharged);
    });
    afterAll(() => store.close());

    it.each(
      SORTS.flatMap((sort) => [
        { sort, collapse: 'hotel' as const },
        { sort, collapse: 'none' as const },
      ]),
    )('pages through everything by $sort, collapse $collapse', async (wanted) => {
      const query = { ...EVERYTHING, ...wanted, limit: 7 };
      const expected = naiveSearch(offers, query, REFERENCE);
      expect(expected.length).toBeGreaterThan(7);
      expect(await everyPage(store.repository, query, expected.length)).toEqual(expected);
    });

    it('pages through the result of any query without gaps, repeats or other offers', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const expected = naiveSearch(offers, query, REFERENCE);
          expect(await everyPage(store.repository, query, expected.length)).toEqual(expected);
        }),
        { numRuns: 300 },
      );
    });

    it.each<[what: string, Partial<Refinements>]>([
      ['prices', { priceFrom: 599.99, priceTo: 799.97 }],
      ['boards', { boards: ['HB', 'XX'] }],
      ['airports', { airports: ['HER', 'STN'] }],
      ['providers', { providers: ['BLU'] }],
      ['airlines', { airlines: ['Blue Wings'] }],
      ['stars', { minStars: 3.5 }],
      ['guest rating', { minGuestRating: 8.7 }],
      ['outbound time', { outboundFrom: '06:00', outboundTo: '11:59' }],
      ['inbound time, past midnight', { inboundFrom: '20:00', inboundTo: '01:00' }],
      ['bags', { bags: true }],
      ['free child place', { freeChild: true }],
      ['hotel name', { hotelName: 'otel 3' }],
      ['hotel', { hotelCode: 'H-5' }],
    ])('filters by %s', async (_what, chosen) => {
      const refine = { ...NO_REFINEMENTS, ...chosen };
      for (const collapse of ['hotel', 'none'] as const) {
        const query = { ...EVERYTHING, collapse, refine };
        const expected = naiveSearch(offers, query, REFERENCE);
        const all = naiveSearch(offers, { ...query, refine: NO_REFINEMENTS }, REFERENCE);
        expect(expected.length).toBeGreaterThan(0);
        if (collapse === 'none') expect(expected.length).toBeLessThan(all.length);
        expect(await everyPage(store.repository, query, expected.length)).toEqual(expected);
      }
    });

    it('counts for each facet what a search with each option would find, and pages through the matches', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery, anyRefinements, async (any, refine) => {
          const query = { ...any, refine };
          const expected = naiveSearch(offers, query, REFERENCE);
          expect(await everyPage(store.repository, query, expected.length)).toEqual(expected);
          const { facets } = await pageOf(store.repository, { ...query, hasFacets: true });
          if (facets === undefined) throw new Error('There are no facets');
          expect(facets).toEqual(naiveFacets(offers, query, REFERENCE, facets));
          expectRanges(facets);
        }),
        { numRuns: 100 },
      );
    });

    it.each(['hotel', 'none'] as const)(
      'finds what was added after a page, collapse %s',
      async (collapse) => {
        const offerOf = (hotel: number, price: number) => {
          const found = offers.find((offer) => offer[OFFER.hotel] === hotel && offer[OFFER.party] === 1);
          if (found === undefined) throw new Error('The inventory is too small');
          return found.with(OFFER.price, price) as unknown as OfferRow;
        };
        const changing = await open();
        await changing.writer.replaceReference(REFERENCE);
        const query = { ...EVERYTHING, collapse, limit: 1, now: 0 };
        for (const offer of [offerOf(1, 50_000), offerOf(2, 90_000)])
          await changing.writer.writeOffers([offer]);
        const page = await pageOf(changing.repository, query);
        expect(rowsOf(page)).toEqual([offerOf(1, 50_000)]);
        // At the same price as the page's only package, but after it by its hotel's code.
        await changing.writer.writeOffers([offerOf(3, 50_000)]);
        const next = await pageOf(changing.repository, { ...query, after: page.next });
        expect(rowsOf(next)).toEqual([offerOf(3, 50_000)]);
        await changing.close();
      },
    );

    it('finds nothing if nothing can match', async () => {
      for (const impossible of [
        { airports: [NOBODY] },
        { airports: [] },
        { countries: [NOBODY] },
        { providers: [NOBODY] },
        { party: NOBODY },
        { nights: [5] },
        { firstDay: FIRST_DAY + 200, lastDay: FIRST_DAY + 300, lastReturnDay: FIRST_DAY + 310 },
        { firstDay: FIRST_DAY + 3, lastDay: FIRST_DAY + 1 },
      ]) {
        const found = await pageOf(store.repository, { ...EVERYTHING, ...impossible });
        expect(found).toMatchObject({ offers: [], next: null, count: 0 });
      }
    });

    it('returns the parties with departures from tomorrow on, smallest first', async () => {
      const [couple, family] = REFERENCE.parties.slice(0, 2).map(({ id: _id, ...party }) => party);
      const day = (number: number) => number * MS_A_DAY;
      const { repository } = store;
      expect(await repository.partiesOnSale(NOW)).toEqual([couple, family]);
      expect(await repository.partiesOnSale(day(FIRST_DAY + DAYS - 2))).toEqual([couple, family]);
      expect(await repository.partiesOnSale(day(FIRST_DAY + DAYS - 1))).toEqual([]);
    });

    it('finds offers by key, in the order of the keys', async () => {
      const [first, second] = [offers[40], offers[3]];
      if (first === undefined || second === undefined) throw new Error('The inventory is too small');
      const unknown: OfferKey = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
      const found = await store.repository.findByKey([keyOf(first), unknown, keyOf(second)]);
      expect(found.map(({ row }) => row)).toEqual([first, second]);
    });

    it('returns all names, and the other records of its offers', async () => {
      const { pages, catalogue } = await store.repository.search(() => [EVERYTHING]);
      for (const dictionary of ['countries', 'regions', 'resorts', 'airports', 'providers'] as const) {
        expect([...catalogue[dictionary].values()]).toEqual(REFERENCE[dictionary]);
      }
      expect([...catalogue.parties.values()]).toEqual(REFERENCE.parties);
      expect([...catalogue.boards.values()]).toEqual(REFERENCE.boards);
      for (const offer of pages[0]?.offers ?? []) {
        expect(catalogue.hotels.get(offer.hotel)).toEqual({
          photos: null,
          facilities: null,
          description: null,
          childPrices: null,
          ...REFERENCE.hotels.find(({ id }) => id === offer.hotel),
        });
        expect(catalogue.rooms.get(offer.room)).toEqual(REFERENCE.rooms.find(({ id }) => id === offer.room));
        for (const flight of [offer.outboundFlight, offer.inboundFlight]) {
          expect(catalogue.flights.get(flight)).toEqual(REFERENCE.flights.find(({ id }) => id === flight));
        }
      }
    });

    it('does nothing without a query, and reports changed dictionaries', async () => {
      expect(await store.repository.search(() => [])).toMatchObject({ pages: [] });
      const before = await store.repository.referenceVersion();
      expect(await store.repository.referenceVersion()).toBe(before);
      await store.writer.replaceReference(REFERENCE);
      const { catalogue } = await store.repository.search(() => [EVERYTHING]);
      expect(catalogue.version).not.toBe(before);
      // PostgreSQL is checked at most once a second.
      await expect
        .poll(() => store.repository.referenceVersion(), { timeout: 5_000 })
        .toBe(catalogue.version);
    });

    it('runs several queries on one snapshot', async () => {
      const cheapest = { ...EVERYTHING, limit: 1 };
      const queries = [[4], [5], [7], [7, 4]].map((nights) => ({ ...cheapest, nights }));
      const { pages } = await store.repository.search(() => queries);
      expect(pages.map(rowsOf)).toEqual(
        queries.map((query) => naiveSearch(offers, query, REFERENCE).slice(0, 1)),
      );
    });
  });

  describe(`${name} keeps the contract of an inventory writer`, () => {
    let store: OpenedStore;
    const offers = smallOffers();
    const all = { ...EVERYTHING, now: 0 };
    beforeAll(async () => {
      store = await open();
      await store.writer.replaceReference(REFERENCE);
    });
    afterAll(() => store.close());

    it('searches an empty store', async () => {
      expect(await pageOf(store.repository, all)).toMatchObject({ offers: [], next: null, count: 0 });
    });

    it('accepts the same offers twice, and updates changed ones', async () => {
      await store.writer.writeOffers(offers);
      await store.writer.writeOffers(offers);
      const dearer = offers.map(
        (offer) => offer.with(OFFER.price, offer[OFFER.price] + 1) as unknown as OfferRow,
      );
      await store.writer.writeOffers(dearer.slice(0, 120));
      const now = [...dearer.slice(0, 120), ...offers.slice(120)];
      expect(await everyPage(store.repository, all, naiveSearch(now, all, REFERENCE).length)).toEqual(
        naiveSearch(now, all, REFERENCE),
      );
      await store.writer.writeOffers(offers);
    });

    it('updates when an unchanged offer was last seen, at most twice a day', async () => {
      const [offer] = offers;
      if (offer === undefined) throw new Error('The inventory is too small');
      const seenAfter = async (minutes: number) => {
        await store.writer.writeOffers([
          offer.with(OFFER.seenAt, offer[OFFER.seenAt] + minutes) as unknown as OfferRow,
        ]);
        const [held] = await store.repository.findByKey([keyOf(offer)]);
        return (held?.seenAt ?? 0) - offer[OFFER.seenAt];
      };
      expect(await seenAfter(60)).toBe(0);
      expect(await seenAfter(12 * 60)).toBe(12 * 60);
    });

    it('removes departed offers', async () => {
      await store.writer.removeDeparturesBefore(FIRST_DAY + 5);
      const left = offers.filter(([day]) => day >= FIRST_DAY + 5);
      const expected = naiveSearch(left, all, REFERENCE).map((offer) => offer.slice(0, 19));
      const found = await everyPage(store.repository, all, expected.length);
      expect(found.map((offer) => offer.slice(0, 19))).toEqual(expected);
    });

    it('keeps notes', async () => {
      expect(await store.writer.readNote('progress')).toBeNull();
      await store.writer.writeNote('progress', 'day 1');
      await store.writer.writeNote('progress', 'day 2');
      expect(await store.writer.readNote('progress')).toBe('day 2');
    });
  });
}

async function pageOf(repository: PackageRepository, query: PackageQuery): Promise<PackagePage> {
  const { pages } = await repository.search(() => [query]);
  const [page] = pages;
  if (page === undefined) throw new Error('There is no page for the query');
  return page;
}

function rowsOf({ offers }: PackagePage): OfferRow[] {
  return offers.map(({ row }) => row);
}

/** All pages of a result. Expects each page to have the count of the whole result. */
async function everyPage(
  repository: PackageRepository,
  query: PackageQuery,
  expectedCount: number,
): Promise<OfferRow[]> {
  const offers: OfferRow[] = [];
  let { after, knownCount } = query;
  for (;;) {
    const page = await pageOf(repository, { ...query, after, knownCount });
    expect(page.count).toBe(expectedCount);
    expect(page.offers.length).toBeLessThanOrEqual(query.limit);
    offers.push(...rowsOf(page));
    if (page.next === null) return offers;
    expect(page.offers).toHaveLength(query.limit);
    after = page.next;
    knownCount = page.count;
  }
}

const someOf = (...ids: number[]) => fc.option(fc.subarray(ids, { minLength: 1 }));

const anyQuery: fc.Arbitrary<PackageQuery> = fc
  .record({
    providers: someOf(1, 2, NOBODY),
    countries: someOf(1, 2),
    regions: someOf(1, 2, 3),
    resorts: someOf(1, 2, 3, 4),
    airports: fc.subarray([1, 2, 3, NOBODY], { minLength: 1 }),
    firstDay: fc.integer({ min: FIRST_DAY - 3, max: FIRST_DAY + DAYS }),
    span: fc.integer({ min: 0, max: DAYS + 3 }),
    returnSpan: fc.integer({ min: 0, max: DAYS + 10 }),
    nights: someOf(4, 5, 7),
    places: maybePlaces,
    party: fc.constantFrom(1, 2),
    boards: someOf(1, 2),
    halfStars: someOf(5, 6, 7, 8, 9),
    now: fc.constantFrom(0, NOW / 60_000 - 1, NOW / 60_000, (FIRST_DAY + 4) * 1440),
    sort: fc.constantFrom(...SORTS),
    collapse: fc.constantFrom('hotel' as const, 'none' as const),
    ties: fc.constant('in-order' as const),
    limit: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ span, returnSpan, places, ...rest }) => ({
    ...rest,
    ...places,
    lastDay: rest.firstDay + span,
    lastReturnDay: rest.firstDay + returnSpan,
    after: null,
    knownCount: null,
  }));

const anyClock = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
);

/** One to three fields, because more filters leave nothing. */
const anyRefinements: fc.Arbitrary<Refinements> = fc
  .subarray(Object.keys(NO_REFINEMENTS) as (keyof Refinements)[], { maxLength: 3 })
  .chain((names) =>
    fc
      .record({
        priceFrom: fc.integer({ min: 0, max: 800 }),
        priceTo: fc.constantFrom(0, 599.99, 700, 5_000),
        regions: fc.subarray(['Costa Blanca', 'Crete', 'Nowhere']),
        resorts: fc.subarray(['Benidorm', 'Albir', 'Nowhere']),
        boards: fc.subarray(['AI', 'HB', 'XX']),
        airports: fc.subarray(['HER', 'ALC', 'STN']),
        providers: fc.subarray(['SUN', 'BLU']),
        airlines: fc.subarray(['Sunward Air', 'Blue Wings', 'No Air']),
        minStars: fc.integer({ min: 0, max: 14 }).map((halves) => halves / 2),
        minGuestRating: fc.constantFrom(0, 5, 8.5, 8.7, 9.2),
        maxSeaDistance: fc.constantFrom(0, 0.4, 1, 500),
        maxFlightHours: fc.constantFrom(0, 2.5, 3, 24),
        outboundFrom: anyClock,
        outboundTo: anyClock,
        inboundFrom: anyClock,
        inboundTo: anyClock,
        bags: fc.boolean(),
        freeChild: fc.boolean(),
        hotelName: fc.constantFrom('', 'hotel', '3', 'sol'),
        hotelCode: fc.constantFrom('', 'H-5'),
      })
      .map((chosen) => ({
        ...NO_REFINEMENTS,
        ...Object.fromEntries(names.map((name) => [name, chosen[name]])),
      })),
  );

/** Expects price ranges without gaps, in round pounds, from the lowest price to the highest. */
function expectRanges({ minPrice, maxPrice, prices }: Facets): void {
  if (minPrice === null || maxPrice === null) {
    expect(prices).toEqual([]);
    return;
  }
  expect(prices.length).toBeLessThanOrEqual(25);
  expect(prices.slice(1).map(({ from }) => from)).toEqual(prices.slice(0, -1).map(({ to }) => to));
  expect(prices.every(({ from }) => Number.isInteger(from))).toBe(true);
  expect(prices[0]?.from).toBeLessThanOrEqual(minPrice);
  expect(prices[0]?.to).toBeGreaterThan(minPrice);
  expect(prices.at(-1)?.from).toBeLessThanOrEqual(maxPrice);
  expect(prices.at(-1)?.to).toBeGreaterThan(maxPrice);
}

function keyOf(offer: OfferRow): OfferKey {
  return offer.slice(0, 11) as unknown as OfferKey;
}
