import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { FILTERS } from './suites/search-http.ts';

const TRIP = { from: ['LGW'], nights: 7, adults: 2 };
const SPAIN = [{ country: 'Spain' }];

const SEARCH = `query ($filters: PackageSearchFilters!, $refine: SearchRefinements) {
  searchPackages(filters: $filters, refine: $refine, limit: 20) { count items { ItemKey TotalPrice } }
}`;

interface Found {
  count: number;
  items: { ItemKey: string; TotalPrice: number }[];
}

interface SearchResult {
  count: number;
  holidays: {
    holiday: string;
    hotel: string;
    price: { total: number; atHotel: number | null };
    link: string;
  }[];
}

/** A token has about four characters of English or JSON. */
const CHARACTERS_A_TOKEN = 4;

describe.each(STORE_KINDS)('The tools for assistants, %s', (store) => {
  let small: SmallApp;
  let client: Client;
  beforeAll(async () => {
    small = await openSmallApp({ store, collapse: 'hotel' });
    const url = await small.app.listen({ port: 0, host: '127.0.0.1' });
    client = new Client({ name: 'a test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  });
  afterAll(async () => {
    await client.close();
    await small.close();
  });

  async function call<Result>(name: string, args: Record<string, unknown>): Promise<Result> {
    const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as Result;
  }

  async function searched(filters: object, refine: object = {}): Promise<Found> {
    const response = await small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: {
        query: SEARCH,
        variables: {
          filters: { ...FILTERS, departureAirports: ['LGW'], country: 'Spain', ...filters },
          refine,
        },
      },
    });
    return response.json<{ data: { searchPackages: Found } }>().data.searchPackages;
  }

  const onDay = (day: string) => ({ startDate: day, endDate: addDays(day, 7), lastDeparture: day });

  it('are four that only read, with at most 1,200 tokens of names, descriptions and arguments', async () => {
    const { tools } = await client.listTools();
    expect(new Set(tools.map(({ name }) => name))).toEqual(
      new Set(['find_places', 'search_holidays', 'get_holiday', 'cheapest']),
    );
    const words = tools.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, inputSchema }),
    );
    expect(words.join('').length / CHARACTERS_A_TOKEN).toBeLessThanOrEqual(1_200);
    for (const { annotations, outputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(outputSchema).toBeDefined();
    }
  });

  it.each([
    ['a country', {}, {}],
    ['half board', { boards: ['HB'] }, { boards: ['HB'] }],
    ['a limit and stars', { maxTotal: 600, minStars: 3 }, { priceTo: 600, minStars: 3 }],
    ['a hotel’s name', { hotelName: 'hotel 5' }, { hotelName: 'hotel 5' }],
  ])('search as the search does: %s', async (_what, filters, refine) => {
    const date = '2027-05-04';
    const found = await call<SearchResult>('search_holidays', {
      ...TRIP,
      places: SPAIN,
      date,
      limit: 20,
      ...filters,
    });
    const expected = await searched(onDay(date), refine);
    expect(found.count).toBe(expected.count);
    expect(found.holidays.map(({ holiday, price }) => [holiday, price.total])).toEqual(
      expected.items.map(({ ItemKey, TotalPrice }) => [ItemKey, TotalPrice]),
    );
    expect(found.count).toBeGreaterThan(0);
  });

  it('give one holiday with the price of its search, and its page', async () => {
    const { holidays } = await call<SearchResult>('search_holidays', {
      ...TRIP,
      places: SPAIN,
      date: '2027-05-04',
    });
    for (const { holiday, price, link } of holidays) {
      const one = await call<{ price: { total: number }; otherDays: { departs: string; total: number }[] }>(
        'get_holiday',
        { holiday },
      );
      expect(one.price.total).toBe(price.total);
      expect(
        one.otherDays.some(({ departs, total }) => departs === '2027-05-04' && total <= price.total),
      ).toBe(true);
      const { pathname, search } = new URL(link);
      const page = await small.app.inject({ method: 'GET', url: pathname + search });
      expect(page.statusCode).toBe(200);
    }
    expect(holidays.length).toBeGreaterThan(0);
  });

  it('give the lowest total of each day, month and place', async () => {
    const period = { ...TRIP, places: SPAIN, fromDate: '2027-05-01', toDate: '2027-05-12' };
    const { prices } = await call<{ prices: { of: string; total: number }[] }>('cheapest', {
      ...period,
      by: 'day',
    });
    for (const { of, total } of prices) expect(total).toBe((await searched(onDay(of))).items[0]?.TotalPrice);
    const lowest = Math.min(...prices.map(({ total }) => total));
    expect(await call('cheapest', { ...period, by: 'month' })).toMatchObject({
      prices: [{ of: '2027-05', total: lowest }],
    });
    const { prices: regions } = await call<{ prices: { of: string; total: number }[] }>('cheapest', {
      ...period,
      by: 'region',
    });
    expect(Math.min(...regions.map(({ total }) => total))).toBe(lowest);
  });

  it('find places and airports in other spellings, and say what was not found', async () => {
    const { places } = await call<{ places: object[] }>('find_places', { text: 'the algarve' });
    expect(places[0]).toEqual({ country: 'Portugal', region: 'Algarve', resort: '' });
    expect(await call('find_places', { text: 'London' })).toMatchObject({ notFound: false });
    expect(await call('find_places', { text: 'qqqqq' })).toEqual({
      places: [],
      airports: [],
      notFound: true,
    });
  });

  it.each([
    ['search_holidays', { ...TRIP, places: SPAIN, date: 'tomorrow' }, 'date'],
    ['search_holidays', { ...TRIP, places: SPAIN, date: '2027-02-30' }, 'date is no day'],
    ['search_holidays', { ...TRIP, places: SPAIN, date: '2027-05-04', from: ['London'] }, 'airport code'],
    ['search_holidays', { ...TRIP, places: SPAIN, date: '2027-05-04', maxNights: 3 }, 'duration'],
    ['get_holiday', { holiday: 'SUN:H-1:LGW:2027-05-04:7:AI:DBL:2-0-0' }, 'not on sale'],
    ['get_holiday', { holiday: '%%%:::::::9-9-9' }, 'not on sale'],
  ])('say what is wrong: %s %j', async (name, args, words) => {
    await expect(call(name, args)).rejects.toThrow(words);
  });
});
