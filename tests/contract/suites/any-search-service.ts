import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PackageSearchFilters } from '../../../domain/search-filters.ts';
import { SEARCH_PACKAGES_QUERY } from '../../../domain/search-query.ts';
import { type PackageSort, SORT_OPTIONS } from '../../../domain/sort-by.ts';

/** A service that the page can search, known only by its URLs. */
export interface AnySearchService {
  /** Filters with more than ten matches, which differ in price, stars and departure. */
  filters: PackageSearchFilters;
  key: string;
  search(body: string, headers: Record<string, string>): Promise<{ status: number; text: string }>;
  signUp(body: object): Promise<{ status: number }>;
  /** The text of each list. */
  list(name: 'locations' | 'departure airports'): Promise<string>;
  close(): Promise<void>;
}

interface Found {
  items: Record<string, unknown>[];
  nextToken: string | null;
  hasMoreData: boolean;
}

/** An item's fields, as named in Section 3 or, if it only describes them, in `docs/contracts/graphql.md`. */
const ITEM_FIELDS = [
  'ItemKey',
  'TotalPrice',
  'HolidayCountry',
  'HolidayRegion',
  'HolidayResort',
  'Hotel',
  'Flight',
  'FlightNumber_Outbound',
  'FlightNumber_Inbound',
  'DepartureDate',
  'Duration',
  'AdditionalData',
  'BoardBasis',
  'Brand',
  'DepartureAirportCode_Outbound',
  'DepartureAirportCode_Inbound',
  'FreeChild',
  'LuggageIncluded',
  'HotelIdentifierCode',
  'NumberOfAdults',
  'NumberOfChildren',
  'NumberOfInfants',
  'Occupancy',
  'RoomCount',
  'RoomTypeDescription',
  'Id',
  'EventId',
  'EventTime',
  'Expiry',
];

/** What the page requires of any server (Section 7), whether ours or not. */
export function describeAnySearchService(name: string, open: () => Promise<AnySearchService>): void {
  describe(`${name} keeps the contract that the page relies on`, () => {
    let service: AnySearchService;
    beforeAll(async () => {
      service = await open();
    });
    afterAll(() => service.close());

    const ask = (variables: object, headers: Record<string, string> = {}) =>
      service.search(JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables }), {
        'content-type': 'application/json',
        'x-api-key': service.key,
        ...headers,
      });
    const find = async (variables: object): Promise<Found> => {
      const { status, text } = await ask({ filters: service.filters, ...variables });
      expect(status).toBe(200);
      const answer = JSON.parse(text) as { errors?: unknown; data: { searchPackages: Found } };
      expect(answer.errors).toBeUndefined();
      return answer.data.searchPackages;
    };

    // @proves 7.2
    it('returns all fields of the query', async () => {
      const found = await find({ sortBy: 'PRICE_ASC', limit: 100, nextToken: null });
      expect(Object.keys(found).toSorted()).toEqual(
        [
          'count',
          'errors',
          'hasMoreData',
          'items',
          'nextToken',
          'queriesExecuted',
          'totalReturned',
        ].toSorted(),
      );
      expect(found.items.length).toBeGreaterThan(10);
      for (const item of found.items) expect(Object.keys(item)).toEqual(expect.arrayContaining(ITEM_FIELDS));
    });

    // @proves 9.9
    it('accepts every sort value of the page, and sorts by it', async () => {
      for (const sortBy of new Set(SORT_OPTIONS.map(({ packageSort }) => packageSort))) {
        const { items } = await find({ sortBy, limit: 100, nextToken: null });
        const values = items.map(SORTED_BY[sortBy]);
        const ordered = values.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
        expect(values, sortBy).toEqual(sortBy.endsWith('_ASC') ? ordered : ordered.toReversed());
      }
    });

    it('returns everything once over all pages', async () => {
      const whole = await find({ sortBy: 'PRICE_ASC', limit: 100, nextToken: null });
      const keys: unknown[] = [];
      let nextToken: string | null = null;
      do {
        const page: Found = await find({ sortBy: 'PRICE_ASC', limit: 4, nextToken });
        expect(page.items.length).toBeLessThanOrEqual(4);
        expect(page.hasMoreData).toBe(page.nextToken !== null);
        keys.push(...page.items.map(({ ItemKey }) => ItemKey));
        nextToken = page.nextToken;
      } while (nextToken !== null);
      expect(keys).toEqual(whole.items.map(({ ItemKey }) => ItemKey));
    });

    it('finds nothing in a place without packages, without an error', async () => {
      const filters = { ...service.filters, resort: 'Atlantis' };
      expect(await find({ filters, sortBy: 'PRICE_ASC', limit: 100, nextToken: null })).toMatchObject({
        items: [],
        nextToken: null,
        hasMoreData: false,
      });
    });

    // @proves 6.1
    it('rejects a request without the right key', async () => {
      const { status } = await ask({ filters: service.filters }, { 'x-api-key': 'another' });
      expect(status).toBe(401);
    });

    it('accepts a sign-up in the shape of Section 7', async () => {
      const { items } = await find({ sortBy: 'PRICE_ASC', limit: 1, nextToken: null });
      const { status } = await service.signUp({
        user: { platform: 'whatsapp', channel: 'any', channel_id: '447700900123' },
        intentName: 'alertSignup',
        intent: { packageHoliday: { ItemKey: items[0]?.ItemKey, HolidayResort: 'Benidorm' } },
      });
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(300);
    });

    it('serves its two lists as CSV: places with a header, airports without one', async () => {
      const [header = ''] = (await service.list('locations')).split(/\r?\n/);
      expect(header.toLowerCase().split(',')).toEqual(
        expect.arrayContaining(['country', 'region', 'resort']),
      );
      expect((await service.list('departure airports')).split(/\r?\n/)[0]).toMatch(/^[^,]+,[A-Z]{3,4}(,|$)/);
    });
  });
}

const SORTED_BY: Record<PackageSort, (item: Record<string, unknown>) => number | string> = {
  PRICE_ASC: ({ TotalPrice, NumberOfAdults }) => Number(TotalPrice) / Number(NumberOfAdults),
  PRICE_DESC: ({ TotalPrice, NumberOfAdults }) => Number(TotalPrice) / Number(NumberOfAdults),
  DEPARTURE_DATE_ASC: departure,
  DEPARTURE_DATE_DESC: departure,
  STAR_RATING_ASC: stars,
  STAR_RATING_DESC: stars,
};

function departure({ Flight }: Record<string, unknown>): string {
  return (JSON.parse(String(Flight)) as { DepartureDateTime_Outbound: string }).DepartureDateTime_Outbound;
}

function stars({ Hotel }: Record<string, unknown>): number {
  return (JSON.parse(String(Hotel)) as { StarRating: number }).StarRating;
}
