import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A search service with the small inventory of `tests/fixtures/`, which shows every package. */
export interface SearchService {
  /** Posts a body to /graphql with the valid key. */
  post(body: object): Promise<{ status: number; json: unknown }>;
  close(): Promise<void>;
}

export interface Answer {
  items: Record<string, unknown>[];
  nextToken: string | null;
  count: number;
  errors: string[] | null;
  hasMoreData: boolean;
  queriesExecuted: number;
  totalReturned: number;
}

export const FILTERS = {
  brand: 'SKY',
  startDate: '2027-05-03',
  endDate: '2027-05-10',
  departureAirports: ['LGW', 'MAN'],
  numberOfAdults: 2,
  numberOfChildren: 0,
  numberOfInfants: 0,
  duration: 7,
};

/** The contract of `POST /graphql` for the page's query, with the text `query`. */
export function describeSearchHttp(name: string, query: string, open: () => Promise<SearchService>): void {
  describe(`${name} keeps the contract of POST /graphql`, () => {
    let service: SearchService;
    beforeAll(async () => {
      service = await open();
    });
    afterAll(() => service.close());

    const ask = (variables: object) => service.post({ query, variables });
    const search = async (filters: object = {}, rest: object = {}): Promise<Answer> => {
      const { status, json } = await ask({ filters: { ...FILTERS, ...filters }, ...rest });
      expect(status).toBe(200);
      expect(json).not.toHaveProperty('errors');
      return (json as { data: { searchPackages: Answer } }).data.searchPackages;
    };
    const refusal = async (variables: object) => {
      const { status, json } = await ask(variables);
      expect(status).toBe(200);
      const { errors } = json as { errors: { message: string; extensions?: Record<string, unknown> }[] };
      expect(errors).toHaveLength(1);
      return { ...errors[0]?.extensions, message: errors[0]?.message };
    };

    it('returns and counts the matching items', async () => {
      const answer = await search({}, { limit: 100 });
      expect(answer.items.length).toBeGreaterThan(5);
      expect(answer).toMatchObject({
        nextToken: null,
        count: answer.items.length,
        errors: null,
        hasMoreData: false,
        totalReturned: answer.items.length,
      });
      expect(answer.queriesExecuted).toBeGreaterThan(0);
      for (const item of answer.items) {
        expect(item).toMatchObject({ DepartureDate: '2027-05-03', Duration: 7, NumberOfAdults: 2 });
        expect(FILTERS.departureAirports).toContain(String(item.ItemKey).split(':')[2]);
      }
      expect(new Set(answer.items.map(({ ItemKey }) => ItemKey)).size).toBe(answer.items.length);
    });

    it('returns items in the shape of Section 3', async () => {
      const { items } = await search({ resort: 'Benidorm', brand: 'sun' }, { limit: 100 });
      const item = items.find(({ HotelIdentifierCode }) => HotelIdentifierCode === 'H-1');
      expect(item).toMatchObject({
        ItemKey: expect.stringMatching(/^SUN:H-1:(LGW|MAN):2027-05-03:7:(AI|HB):(DBL|SEA):2-0-0$/),
        Id: item?.ItemKey,
        HolidayCountry: 'Spain',
        HolidayRegion: 'Costa Blanca',
        HolidayResort: 'Benidorm',
        FlightNumber_Outbound: 'SW101',
        FlightNumber_Inbound: 'SW102',
        Brand: 'SUN',
        DepartureAirportCode_Outbound: 'LGW',
        DepartureAirportCode_Inbound: 'ALC',
        FreeChild: false,
        NumberOfChildren: 0,
        NumberOfInfants: 0,
        Occupancy: '2-0-0',
        RoomCount: 1,
        EventId: `${String(item?.ItemKey)}@2027-04-01T10:30:00.000Z`,
        EventTime: '2027-04-01T10:30:00.000Z',
        Expiry: '2027-05-03T00:00:00.000Z',
      });
      expect(item?.TotalPrice).toBeCloseTo(Math.round(Number(item?.TotalPrice) * 100) / 100, 10);
      expect(JSON.parse(String(item?.Hotel))).toEqual({
        HotelName: 'Hotel "Señorío" del Sol',
        StarRating: 3,
        ConsumerRating: 8.5,
        Longitude: -0.1,
        SeaDistance: 0.25,
        Latitude: 38.51,
      });
      // The flight home leaves on the last evening and lands on the next day.
      expect(JSON.parse(String(item?.Flight))).toEqual({
        DepartureDateTime_Outbound: '2027-05-03T06:30:00+01:00',
        ArrivalDateTime_Outbound: '2027-05-03T10:05:00+02:00',
        ArrivalAirportCode_Outbound: 'ALC',
        AirlineName_Outbound: 'Sunward Air',
        FlightDuration_Outbound: 9300,
        DepartureDateTime_Inbound: '2027-05-10T23:30:00+02:00',
        ArrivalDateTime_Inbound: '2027-05-11T01:05:00+01:00',
        ArrivalAirportCode_Inbound: 'LGW',
        AirlineName_Inbound: 'Sunward Air',
        FlightDuration_Inbound: 9300,
      });
      expect(JSON.parse(String(item?.AdditionalData))).toMatchObject({
        DeeplinkUrl: expect.stringMatching(/^https:\/\/www\.(sunward|bluebay)\.example\//),
      });
    });

    it.each([
      ['country', { country: 'Greece' }, { HolidayCountry: 'Greece' }],
      ['country in another case', { country: ' gReece ' }, { HolidayCountry: 'Greece' }],
      ['region', { region: 'Costa Blanca' }, { HolidayRegion: 'Costa Blanca' }],
      ['region of a country', { country: 'Spain', region: 'Islands' }, { HolidayCountry: 'Spain' }],
      ['resort', { resort: 'Palma' }, { HolidayResort: 'Palma' }],
      ['board', { boardBasis: 'hb' }, { BoardBasis: 'HB' }],
      ['provider', { brand: 'BLU' }, { Brand: 'BLU' }],
      ['party', { numberOfChildren: 1 }, { NumberOfChildren: 1, Occupancy: '2-1-0' }],
      ['nights', { duration: 4 }, { Duration: 4 }],
    ])('filters by %s', async (_name, filters, expected) => {
      const { items } = await search({ ...filters, endDate: '2027-05-12' }, { limit: 100 });
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(item).toMatchObject(expected);
    });

    it.each([
      ['a resort', { resort: 'Old Town' }, '2027-05-12'],
      ['a region', { region: 'Islands' }, '2027-05-12'],
      ['a resort, over weeks', { resort: 'old town' }, '2027-05-20'],
    ])('finds packages in every place called %s', async (_name, filters, endDate) => {
      const { items } = await search({ ...filters, endDate }, { limit: 100 });
      const places = items.map(({ HolidayCountry, HolidayRegion }) => [HolidayCountry, HolidayRegion].join());
      expect([...new Set(places)].toSorted()).toEqual(['Greece,Islands', 'Spain,Islands']);
    });

    it('filters by whole stars, which round halves down', async () => {
      const { items } = await search({ starRating: 4 }, { limit: 100 });
      const stars = items.map(
        ({ Hotel }) => (JSON.parse(String(Hotel)) as { StarRating: number }).StarRating,
      );
      expect(new Set(stars)).toEqual(new Set([4, 4.5]));
    });

    it('finds every trip within a wider window, of any length by default', async () => {
      const { items } = await search({ duration: null, endDate: '2027-05-11' }, { limit: 100 });
      const trips = new Set(
        items.map(({ DepartureDate, Duration }) => `${String(DepartureDate)} ${String(Duration)}`),
      );
      expect([...trips].toSorted()).toEqual([
        '2027-05-03 4',
        '2027-05-03 7',
        '2027-05-04 4',
        '2027-05-04 7',
        '2027-05-05 4',
        '2027-05-06 4',
        '2027-05-07 4',
      ]);
    });

    it.each([
      ['a country', { country: 'Atlantis' }],
      ['a region in another country', { country: 'Greece', region: 'Costa Blanca' }],
      ['a brand', { brand: 'NOBODY' }],
      ['a board', { boardBasis: 'ZZ' }],
      ['airports', { departureAirports: ['XXX'] }],
      ['no airport', { departureAirports: [] }],
      ['a party', { numberOfAdults: 9 }],
      ['a name that SQL would mind', { resort: "'; drop table offer; --" }],
    ])('finds nothing for an unknown %s, without an error', async (_name, filters) => {
      expect(await search(filters)).toMatchObject({
        items: [],
        count: 0,
        nextToken: null,
        hasMoreData: false,
      });
    });

    it('returns no departure before tomorrow', async () => {
      expect(await search({ startDate: '2020-01-01', endDate: '2020-01-08' })).toMatchObject({ count: 0 });
    });

    it('returns everything once over all pages', async () => {
      const whole = await search({ duration: null }, { limit: 100, sortBy: 'STAR_RATING_DESC' });
      expect(whole.hasMoreData).toBe(false);
      const keys: unknown[] = [];
      let nextToken: string | null = null;
      do {
        const page: Answer = await search(
          { duration: null },
          { limit: 9, sortBy: 'STAR_RATING_DESC', nextToken },
        );
        expect(page.count).toBe(whole.count);
        expect(page.hasMoreData).toBe(page.nextToken !== null);
        keys.push(...page.items.map(({ ItemKey }) => ItemKey));
        nextToken = page.nextToken;
      } while (nextToken !== null);
      expect(keys).toEqual(whole.items.map(({ ItemKey }) => ItemKey));
    });

    it('returns ten items by default, cheapest first', async () => {
      const { items } = await search();
      const prices = items.map(({ TotalPrice }) => Number(TotalPrice));
      expect(prices).toHaveLength(10);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    });

    it.each([
      ['a forged token', (token: string) => `${token.slice(0, -4)}AAAA`],
      ['a changed token', (token: string) => `A${token.slice(1)}`],
      ['no token at all', () => 'hello'],
      ['an empty token', () => ''],
    ])('rejects %s', async (_name, change) => {
      const { nextToken } = await search({}, { limit: 2 });
      const refused = await refusal({ filters: FILTERS, limit: 2, nextToken: change(nextToken ?? '') });
      expect(refused).toMatchObject({ code: 'BAD_TOKEN', message: expect.stringContaining('Search again') });
    });

    it('rejects a token of another search or sort', async () => {
      const { nextToken } = await search({}, { limit: 2 });
      for (const variables of [
        { filters: { ...FILTERS, resort: 'Palma' }, nextToken },
        { filters: FILTERS, sortBy: 'PRICE_DESC', nextToken },
      ]) {
        expect(await refusal(variables)).toMatchObject({ code: 'BAD_TOKEN' });
      }
    });

    it.each([
      ['limit', { filters: FILTERS, limit: 0 }],
      ['limit', { filters: FILTERS, limit: 101 }],
      ['filters.startDate', { filters: { ...FILTERS, startDate: '2027-02-30' } }],
      ['filters.endDate', { filters: { ...FILTERS, endDate: 'soon' } }],
      ['filters.endDate', { filters: { ...FILTERS, endDate: '2027-05-02' } }],
      ['filters.endDate', { filters: { ...FILTERS, endDate: '2029-05-02' } }],
      ['filters.starRating', { filters: { ...FILTERS, starRating: -1 } }],
      ['filters.numberOfAdults', { filters: { ...FILTERS, numberOfAdults: 0 } }],
      ['filters.resort', { filters: { ...FILTERS, resort: 'x'.repeat(201) } }],
    ])('names %s if it is invalid', async (field, variables) => {
      const refused = await refusal(variables);
      expect(refused).toMatchObject({ code: 'BAD_USER_INPUT', field });
      expect(refused.message).toMatch(new RegExp(`^${field.replace('.', '\\.')} .+\\.$`));
    });

    it.each([
      ['no variables', 'filters', {}],
      ['text for the filters', 'filters', { filters: 'Spain' }],
      ['a missing filter', 'filters.startDate', { filters: { ...FILTERS, startDate: undefined } }],
      ['a filter that is null', 'filters.endDate', { filters: { ...FILTERS, endDate: null } }],
      ['an unknown filter', 'filters.colour', { filters: { ...FILTERS, colour: 'red' } }],
      ['an unknown sort', 'sortBy', { filters: FILTERS, sortBy: 'CHEAPEST' }],
      ['text for a number', 'filters.numberOfAdults', { filters: { ...FILTERS, numberOfAdults: 'two' } }],
      [
        'a number for a code',
        'filters.departureAirports',
        { filters: { ...FILTERS, departureAirports: [1] } },
      ],
    ])('rejects %s by the schema, and names it', async (_name, field, variables) => {
      const refused = await refusal(variables);
      expect(refused).toMatchObject({ code: 'BAD_USER_INPUT', field });
      expect(refused.message).not.toBe('');
    });
  });
}
