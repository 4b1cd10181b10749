import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../../domain/search-query.ts';
import { SEARCH_WITH_FACETS_QUERY } from '../../../domain/search-with-facets-query.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../../fixtures/small-app.ts';
import { STORE_KINDS, type StoreKind } from '../../fixtures/test-stores.ts';
import { type Answer, describeSearchHttp, FILTERS, type SearchService } from './search-http.ts';

/** The query with other whitespace, so that it does not take the direct path. */
const ANOTHER_TEXT = `# through the schema\n${SEARCH_PACKAGES_QUERY}`;

async function openService(store: StoreKind): Promise<SearchService> {
  const small = await openSmallApp({ store });
  return { close: () => small.close(), post: (body) => post(small.app, body) };
}

async function post(app: SmallApp['app'], body: object) {
  const headers = { 'x-api-key': API_KEY };
  const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: body });
  return { status: response.statusCode, json: response.json() as unknown };
}

for (const kind of STORE_KINDS) {
  const open = () => openService(kind);
  describeSearchHttp(`The direct path to the ${kind} store`, SEARCH_PACKAGES_QUERY, open);
  describeSearchHttp(`The path through the schema to the ${kind} store`, ANOTHER_TEXT, open);
}

describe('Both paths', () => {
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp({ collapse: 'hotel' });
  });
  afterAll(() => small.close());

  it.each([
    ['a search', { filters: FILTERS, limit: 100 }],
    ['a page of one', { filters: { ...FILTERS, duration: null }, limit: 2, sortBy: 'DEPARTURE_DATE_DESC' }],
    ['an empty search', { filters: { ...FILTERS, country: 'Atlantis' } }],
    ['a wrong limit', { filters: FILTERS, limit: 1_000 }],
    ['a wrong token', { filters: FILTERS, nextToken: 'x' }],
    ['a missing filter', { filters: {} }],
  ])('give the same JSON for %s', async (_name, variables) => {
    const direct = await post(small.app, { query: SEARCH_PACKAGES_QUERY, variables });
    const bySchema = await post(small.app, { query: ANOTHER_TEXT, variables });
    // Only an error's location in the query may differ.
    expect(withoutLocations(bySchema)).toEqual(withoutLocations(direct));
  });

  it('return each hotel once with SEARCH_COLLAPSE=hotel', async () => {
    const { json } = await post(small.app, {
      query: SEARCH_PACKAGES_QUERY,
      variables: { filters: { ...FILTERS, duration: null }, limit: 100 },
    });
    const { items, count } = (json as { data: { searchPackages: Answer } }).data.searchPackages;
    const hotels = items.map(({ HotelIdentifierCode }) => HotelIdentifierCode);
    expect(new Set(hotels).size).toBe(hotels.length);
    expect(count).toBe(hotels.length);
  });

  it.each(["Spain' or '1'='1", 'Spain"; drop table offer; --', 'Spain\u0000', '%', '_____'])(
    'find nothing in the country %j',
    async (country) => {
      const { json } = await post(small.app, {
        query: SEARCH_PACKAGES_QUERY,
        variables: { filters: { ...FILTERS, country }, limit: 100 },
      });
      expect(json).toMatchObject({ data: { searchPackages: { items: [], count: 0 } } });
    },
  );

  it('reject a token after an hour', async () => {
    const ask = (nextToken: string | null) =>
      post(small.app, { query: SEARCH_PACKAGES_QUERY, variables: { filters: FILTERS, limit: 1, nextToken } });
    const first = await ask(null);
    const { nextToken } = (first.json as { data: { searchPackages: Answer } }).data.searchPackages;
    expect((await ask(nextToken)).json).not.toHaveProperty('errors');
    small.passTime(61 * 60 * 1000);
    expect((await ask(nextToken)).json).toMatchObject({ errors: [{ extensions: { code: 'BAD_TOKEN' } }] });
  });
});

describe('Further filters and facets', () => {
  let small: SmallApp;
  beforeAll(async () => {
    small = await openSmallApp({ collapse: 'hotel' });
  });
  afterAll(() => small.close());

  const ask = (variables: object, query = SEARCH_WITH_FACETS_QUERY) =>
    post(small.app, { query, variables: { filters: FILTERS, limit: 100, ...variables } });
  const found = async (variables: object) =>
    ((await ask(variables)).json as { data: { searchPackages: Answer & { facets: Facets } } }).data
      .searchPackages;

  it.each([
    ['no further filter', {}],
    ['filters', { refine: { minStars: 3.5, bags: true }, limit: 1, sortBy: 'GUEST_RATING_DESC' }],
    ['an unknown country', { filters: { ...FILTERS, country: 'Atlantis' }, refine: { boards: ['AI'] } }],
    ['a wrong time', { refine: { inboundTo: '24:00' } }],
  ])('have the same JSON on both paths with %s', async (_name, variables) => {
    // The first search also reads hotels and flights, which needs more statements.
    await ask(variables);
    const direct = await ask(variables);
    const bySchema = await ask(variables, `# through the schema\n${SEARCH_WITH_FACETS_QUERY}`);
    expect(withoutLocations(bySchema)).toEqual(withoutLocations(direct));
  });

  it('return facets only if they are selected, even by a fragment', async () => {
    const query = `query ($filters: PackageSearchFilters!) {
      with: searchPackages(filters: $filters) { count ...some }
      without: searchPackages(filters: $filters) { count }
    }
    fragment some on SearchPackagesAnswer { facets { bags } }`;
    const { json } = await ask({}, query);
    expect(json).toEqual({
      data: {
        with: { count: expect.any(Number), facets: { bags: expect.any(Number) } },
        without: { count: expect.any(Number) },
      },
    });
    expect((await ask({}, SEARCH_PACKAGES_QUERY)).json).not.toHaveProperty('data.searchPackages.facets');
  });

  it('name the options, and list chosen ones even if nothing has them', async () => {
    const { items, count, facets } = await found({
      refine: { boards: ['ai', 'SC'], airports: ['XXX', 'LGW'], minStars: 2, minGuestRating: 9.5 },
    });
    expect([items, count]).toEqual([[], 0]);
    const chosen = await found({ refine: { boards: ['ai', 'SC'], airports: ['XXX', 'LGW'] } });
    expect(chosen.facets.boards).toEqual([
      { value: 'AI', name: 'All-Inclusive', count: chosen.count },
      { value: 'HB', name: 'Half Board', count: expect.any(Number) },
      { value: 'SC', name: 'Self Catering', count: 0 },
    ]);
    expect(chosen.facets.airports).toContainEqual({
      value: 'MAN',
      name: 'Manchester',
      count: expect.any(Number),
    });
    expect(chosen.facets.airports).toContainEqual({ value: 'XXX', name: 'XXX', count: 0 });
    expect(chosen.facets.providers).toContainEqual({
      value: 'BLU',
      name: 'Blue Bay',
      count: expect.any(Number),
    });
    expect(chosen.facets.outboundTimes.map(({ from, to }) => `${from}-${to}`)).toEqual([
      '00:00-05:59',
      '06:00-11:59',
      '12:00-17:59',
      '18:00-23:59',
    ]);
    expect(facets.guestRatings.at(-1)).toEqual({ from: 9.5, count: 0 });
    expect(facets.stars).toEqual([{ from: 2, count: 0 }]);
  });

  it('find hotels by a part of their name, without accents', async () => {
    const { items } = await found({ refine: { hotelName: ' SENORIO del' } });
    expect(items.map(({ HotelIdentifierCode }) => HotelIdentifierCode)).toEqual(['H-1']);
  });

  it('count the other packages of each hotel, and find all of them by its code', async () => {
    const { items, facets } = await found({});
    expect(facets.otherPackages).toHaveLength(items.length);
    const many = facets.otherPackages.findIndex((others) => others > 0);
    const hotelCode = items[many]?.HotelIdentifierCode;
    const ofHotel = await found({ refine: { hotelCode } });
    expect(ofHotel.count).toBe((facets.otherPackages[many] ?? 0) + 1);
    expect(ofHotel.items.map(({ HotelIdentifierCode }) => HotelIdentifierCode)).toEqual(
      Array(ofHotel.count).fill(hotelCode),
    );
    expect(ofHotel.items[0]).toEqual(items[many]);
  });

  it('count the whole result on each page, and reject a token of other filters', async () => {
    const refine = { priceTo: 1_000 };
    const whole = await found({ refine });
    const first = await found({ refine, limit: 2 });
    const next = await found({ refine, limit: 100, nextToken: first.nextToken });
    expect([...first.items, ...next.items].map(({ ItemKey }) => ItemKey)).toEqual(
      whole.items.map(({ ItemKey }) => ItemKey),
    );
    const ofItems = { otherPackages: [], otherProviders: [] };
    expect({ ...next.facets, ...ofItems }).toEqual({ ...whole.facets, ...ofItems });
    expect([...first.facets.otherPackages, ...next.facets.otherPackages]).toEqual(whole.facets.otherPackages);
    for (const other of [null, { priceTo: 999 }]) {
      const { json } = await ask({ refine: other, nextToken: first.nextToken });
      expect(json).toMatchObject({ errors: [{ extensions: { code: 'BAD_TOKEN' } }] });
    }
  });

  it.each([{}, { refine: { minStars: 3.5 } }])(
    'find the trips of several places, days and nights together with %j',
    async (further) => {
      const everyTrip = {
        ...FILTERS,
        startDate: '2027-05-03',
        endDate: '2027-05-16',
        country: null,
        duration: 4,
      };
      const wide = { ...everyTrip, maxDuration: 7, lastDeparture: '2027-05-09' };
      const places = [{ country: 'Greece' }, { region: 'Costa Blanca' }];
      const query =
        'query ($filters: PackageSearchFilters!, $refine: SearchRefinements) { searchPackages(filters: $filters, refine: $refine, limit: 100) { count items { ItemKey } } }';
      const keysOf = async (filters: object) => {
        const { json } = await ask({ filters, limit: undefined, ...further }, query);
        const { items } = (json as { data: { searchPackages: Answer } }).data.searchPackages;
        return items.map(({ ItemKey }) => String(ItemKey));
      };
      const together = await keysOf({ ...wide, places });
      const apart: string[] = [];
      for (const place of places)
        for (const duration of [4, 7])
          for (const day of [3, 4, 5, 6, 7, 8, 9]) {
            const [startDate, endDate] = [day, day + duration].map(
              (of) => `2027-05-${String(of).padStart(2, '0')}`,
            );
            apart.push(...(await keysOf({ ...everyTrip, ...place, startDate, endDate, duration })));
          }
      // Each hotel appears once, with its cheapest trip.
      const hotelOf = (key: string) => key.split(':')[1];
      expect(new Set(together.map(hotelOf))).toEqual(new Set(apart.map(hotelOf)));
      expect(together.every((key) => apart.includes(key))).toBe(true);
      expect(together.length).toBeGreaterThan(1);
    },
  );

  it.each([
    ['refine.priceFrom', { refine: { priceFrom: -1 } }],
    ['refine.priceTo', { refine: { priceFrom: 900, priceTo: 899 } }],
    ['refine.priceTo', { refine: { priceTo: 300_001 } }],
    ['refine.minStars', { refine: { minStars: 3.2 } }],
    ['refine.minGuestRating', { refine: { minGuestRating: 11 } }],
    ['refine.outboundFrom', { refine: { outboundFrom: '6:00' } }],
    ['refine.inboundTo', { refine: { inboundTo: '24:00' } }],
    ['refine.airlines', { refine: { airlines: Array(201).fill('x') } }],
    ['refine.hotelName', { refine: { hotelName: 'x'.repeat(201) } }],
    ['filters.endDate', { filters: { ...FILTERS, endDate: '2027-05-17' } }],
    ['filters.maxDuration', { filters: { ...FILTERS, maxDuration: 6 } }],
    ['filters.lastDeparture', { filters: { ...FILTERS, lastDeparture: 'soon' } }],
    [
      'filters.places',
      { filters: { ...FILTERS, country: null, places: Array(6).fill({ country: 'Spain' }) } },
    ],
  ])('name %s if it is invalid', async (field, variables) => {
    const { json } = await ask(variables);
    expect(json).toMatchObject({
      errors: [{ message: expect.stringMatching(/\.$/), extensions: { code: 'BAD_USER_INPUT', field } }],
    });
  });

  it('reject an eighth departure day with filters and the order by guest rating, even without facets', async () => {
    const filters = { ...FILTERS, endDate: '2027-05-17' };
    expect((await ask({ filters, refine: null }, SEARCH_PACKAGES_QUERY)).json).not.toHaveProperty('errors');
    const query = `query ($filters: PackageSearchFilters!) {
      searchPackages(filters: $filters, refine: { bags: true }) { count }
    }`;
    const byRating = await ask({ filters, sortBy: 'GUEST_RATING_DESC' }, SEARCH_PACKAGES_QUERY);
    for (const { json } of [await ask({ filters }, query), byRating]) {
      expect(json).toMatchObject({ errors: [{ message: expect.stringContaining('at most 7') }] });
    }
  });
});

interface Facets {
  boards: object[];
  airports: object[];
  providers: object[];
  stars: object[];
  guestRatings: object[];
  outboundTimes: { from: string; to: string }[];
  otherPackages: number[];
}

function withoutLocations(answer: { json: unknown }): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (key === 'locations' ? undefined : value)),
  );
}
