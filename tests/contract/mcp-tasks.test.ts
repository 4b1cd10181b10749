import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';

// What people ask, as an assistant's calls, with answers counted from the fixture's own list of packages.

interface Trip {
  places?: { country: string; region?: string; resort?: string }[];
  from: string[];
  nights?: number;
  maxNights?: number;
  adults?: number;
  children?: number;
}

interface Search extends Trip {
  places: { country: string; region?: string; resort?: string }[];
  date: string;
  flexDays?: number;
  boards?: string[];
  minStars?: number;
  minGuestRating?: number;
  maxTotal?: number;
  hotelName?: string;
  sort?: 'price' | 'stars' | 'departure';
  limit?: number;
}

interface Cheapest extends Trip {
  by: 'day' | 'month' | 'country' | 'region' | 'resort';
  fromDate: string;
  toDate: string;
}

interface FoundHoliday {
  holiday: string;
  hotel: string;
  place: string;
  board: string;
  departs: string;
  nights: number;
  price: {
    total: number;
    toProvider: number;
    atHotel: number | null;
    per: string;
    provider: string;
    asOf: string;
  };
}

const SPAIN = { country: 'Spain' };
const GREECE = { country: 'Greece' };
const BENIDORM = { country: 'Spain', region: 'Costa Blanca', resort: 'Benidorm' };
const PALMA = { country: 'Spain', region: 'Islands', resort: 'Palma' };
const ALL_AIRPORTS = ['LGW', 'MAN', 'STN'];

const SEARCHES: [request: string, call: Search][] = [
  ['Spain from Gatwick on 4 May for a week', { places: [SPAIN], from: ['LGW'], date: '2027-05-04' }],
  ['Spain from Manchester, the same day', { places: [SPAIN], from: ['MAN'], date: '2027-05-04' }],
  ['Spain from any London airport', { places: [SPAIN], from: ['LGW', 'STN'], date: '2027-05-04' }],
  ['Greece from anywhere on 1 May', { places: [GREECE], from: ALL_AIRPORTS, date: '2027-05-01' }],
  ['Benidorm for four nights', { places: [BENIDORM], from: ['LGW'], date: '2027-05-06', nights: 4 }],
  ['Palma, all-inclusive', { places: [PALMA], from: ALL_AIRPORTS, date: '2027-05-08', boards: ['AI'] }],
  [
    'Palma or Benidorm, half board',
    { places: [PALMA, BENIDORM], from: ['STN'], date: '2027-05-02', boards: ['HB'] },
  ],
  [
    'Spain or Greece for the two of us and a child',
    { places: [SPAIN, GREECE], from: ['LGW'], date: '2027-05-03', children: 1 },
  ],
  [
    'Greece from Manchester with a child, at most £700',
    { places: [GREECE], from: ['MAN'], date: '2027-05-05', children: 1, maxTotal: 700 },
  ],
  ['Spain for at most £500', { places: [SPAIN], from: ['LGW'], date: '2027-05-09', maxTotal: 500 }],
  ['Spain, four stars or more', { places: [SPAIN], from: ['LGW'], date: '2027-05-04', minStars: 4 }],
  [
    'Greece, three stars or more, half board',
    { places: [GREECE], from: ALL_AIRPORTS, date: '2027-05-07', minStars: 3, boards: ['HB'] },
  ],
  [
    'Spain, rated 8 or better by guests',
    { places: [SPAIN], from: ['LGW'], date: '2027-05-04', minGuestRating: 8 },
  ],
  [
    'The hotel called Hotel 5',
    { places: [SPAIN], from: ALL_AIRPORTS, date: '2027-05-10', hotelName: 'Hotel 5' },
  ],
  [
    'Spain around 6 May, a day either way',
    { places: [SPAIN], from: ['MAN'], date: '2027-05-06', flexDays: 1 },
  ],
  [
    'Greece around 6 May, three days either way',
    { places: [GREECE], from: ['MAN'], date: '2027-05-06', flexDays: 3 },
  ],
  [
    'Four to seven nights in Benidorm',
    { places: [BENIDORM], from: ['STN'], date: '2027-05-11', nights: 4, maxNights: 7 },
  ],
  [
    'The island called Islands in Spain',
    { places: [{ country: 'Spain', region: 'Islands' }], from: ['LGW'], date: '2027-05-12' },
  ],
  [
    'Old Town in Greece, not the one in Spain',
    {
      places: [{ country: 'Greece', region: 'Islands', resort: 'Old Town' }],
      from: ALL_AIRPORTS,
      date: '2027-05-04',
    },
  ],
  ['Spain after the last departure', { places: [SPAIN], from: ['LGW'], date: '2027-05-20' }],
  [
    'Spain for ten nights, which nobody sells',
    { places: [SPAIN], from: ['LGW'], date: '2027-05-04', nights: 10 },
  ],
  [
    'Spain for one adult, whom no package is for',
    { places: [SPAIN], from: ['LGW'], date: '2027-05-04', adults: 1 },
  ],
  [
    'Spain, all-inclusive, three stars, £600, flexible',
    {
      places: [SPAIN],
      from: ALL_AIRPORTS,
      date: '2027-05-05',
      flexDays: 3,
      boards: ['AI'],
      minStars: 3,
      maxTotal: 600,
    },
  ],
  [
    'Anywhere that we sell, cheapest first',
    { places: [SPAIN, GREECE], from: ALL_AIRPORTS, date: '2027-05-06', flexDays: 1 },
  ],
];

const PRICES: [request: string, call: Cheapest][] = [
  [
    'The cheapest day for Spain from Gatwick',
    { by: 'day', places: [SPAIN], from: ['LGW'], fromDate: '2027-05-01', toDate: '2027-05-12' },
  ],
  [
    'The cheapest day for Benidorm, four nights',
    {
      by: 'day',
      places: [BENIDORM],
      from: ALL_AIRPORTS,
      nights: 4,
      fromDate: '2027-05-01',
      toDate: '2027-05-31',
    },
  ],
  [
    'The cheapest month for Greece',
    { by: 'month', places: [GREECE], from: ['MAN'], fromDate: '2027-05-01', toDate: '2027-07-31' },
  ],
  [
    'The cheapest country from Gatwick',
    { by: 'country', from: ['LGW'], fromDate: '2027-05-01', toDate: '2027-05-12' },
  ],
  [
    'The cheapest region from Stansted',
    { by: 'region', from: ['STN'], fromDate: '2027-05-01', toDate: '2027-05-12' },
  ],
  [
    'The cheapest resort from Manchester with a child',
    { by: 'resort', from: ['MAN'], children: 1, fromDate: '2027-05-01', toDate: '2027-05-12' },
  ],
  [
    'The cheapest resort of Spain',
    { by: 'resort', places: [SPAIN], from: ALL_AIRPORTS, fromDate: '2027-05-01', toDate: '2027-05-12' },
  ],
  [
    'Prices in a month without departures',
    { by: 'day', places: [SPAIN], from: ['LGW'], fromDate: '2027-08-01', toDate: '2027-08-31' },
  ],
];

const NAMES: [request: string, text: string, places: string[], codes: string[]][] = [
  ['Where is Majorca?', 'Majorca', ['Spain/Majorca/'], []],
  ['Mallorca, as Spaniards say', 'Mallorca', ['Spain/Majorca/'], []],
  ['The Algarve', 'the algarve', ['Portugal/Algarve/'], []],
  ['Manchester’s airport', 'Manchester', [], ['MAN']],
  ['Gatwick by its code', 'LGW', [], ['LGW']],
  ['A resort with a typing error', 'benidrom', ['Spain/Costa Blanca/Benidorm'], []],
  ['Türkiye', 'Türkiye', ['Turkey//'], []],
  ['A place that does not exist', 'zzzzzz', [], []],
];

let small: SmallApp;
let client: Client;
beforeAll(async () => {
  small = await openSmallApp({ collapse: 'hotel' });
  const url = await small.app.listen({ port: 0, host: '127.0.0.1' });
  client = new Client({ name: 'a test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
});
afterAll(async () => {
  await client.close();
  await small.close();
});

async function call<Result>(name: string, args: object): Promise<Result> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: { ...args } });
  if (isError === true) throw new Error(JSON.stringify(content));
  return structuredContent as Result;
}

const nameOf = (records: readonly { id: number; name: string }[], id: number) =>
  records.find((one) => one.id === id)?.name ?? '';

const offers = smallOffers().map((offer: OfferRow) => {
  const hotel = REFERENCE.hotels.find(({ id }) => id === offer[OFFER.hotel]);
  return {
    day: offer[OFFER.departureDay],
    nights: offer[OFFER.nights],
    country: nameOf(REFERENCE.countries, offer[OFFER.country]),
    region: nameOf(REFERENCE.regions, offer[OFFER.region]),
    resort: nameOf(REFERENCE.resorts, offer[OFFER.resort]),
    airport: REFERENCE.airports.find(({ id }) => id === offer[OFFER.airport])?.code ?? '',
    hotel: hotel?.name ?? '',
    stars: (hotel?.halfStars ?? 0) / 2,
    rating: hotel?.consumerRating ?? null,
    board: REFERENCE.boards.find(({ id }) => id === offer[OFFER.board])?.code ?? '',
    children: REFERENCE.parties.find(({ id }) => id === offer[OFFER.party])?.children ?? 0,
    adults: REFERENCE.parties.find(({ id }) => id === offer[OFFER.party])?.adults ?? 0,
    total: offer[OFFER.price] / 100,
    isOnSale: offer[OFFER.expiresAt] > NOW / 60_000,
  };
});
type Package = (typeof offers)[number];

function matching(trip: Trip, first: string, last: string): Package[] {
  const { places = [], from, nights = 7, maxNights = nights, adults = 2, children = 0 } = trip;
  return offers.filter(
    (one) =>
      one.isOnSale &&
      one.day >= dayNumber(first as '2027-05-01') &&
      one.day <= dayNumber(last as '2027-05-01') &&
      one.nights >= nights &&
      one.nights <= maxNights &&
      one.adults === adults &&
      one.children === children &&
      from.includes(one.airport) &&
      (places.length === 0 ||
        places.some(
          ({ country, region = '', resort = '' }) =>
            one.country === country &&
            (region === '' || one.region === region) &&
            (resort === '' || one.resort === resort),
        )),
  );
}

/** The lowest total of each group, by the group's name. */
function lowestOf(packages: readonly Package[], groupOf: (one: Package) => string): [string, number][] {
  return [...Map.groupBy(packages, groupOf)]
    .map(([group, ofGroup]): [string, number] => [group, Math.min(...ofGroup.map(({ total }) => total))])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const shifted = (day: string, days: number) => fromDayNumber(dayNumber(day as '2027-05-01') + days);

describe('An assistant', () => {
  it('is given 40 tasks', () => {
    expect(SEARCHES.length + PRICES.length + NAMES.length).toBe(40);
  });

  it.each(SEARCHES)('finds: %s', async (_request, search) => {
    const { date, flexDays = 0, boards, minStars = 0, minGuestRating, maxTotal, hotelName = '' } = search;
    const packages = matching(search, shifted(date, -flexDays), shifted(date, flexDays)).filter(
      (one) =>
        (boards?.includes(one.board) ?? true) &&
        one.stars >= minStars &&
        (minGuestRating === undefined || (one.rating ?? 0) >= minGuestRating) &&
        one.total <= (maxTotal ?? Number.POSITIVE_INFINITY) &&
        one.hotel.includes(hotelName),
    );
    const hotels = lowestOf(packages, ({ hotel }) => hotel);
    const found = await call<{ count: number; holidays: FoundHoliday[] }>('search_holidays', {
      ...search,
      limit: 20,
    });
    expect(found.count).toBe(hotels.length);
    expect(lowestOfFound(found.holidays)).toEqual(hotels);
    const totals = found.holidays.map(({ price }) => price.total);
    expect(totals).toEqual(totals.toSorted((one, other) => one - other));
    for (const { price } of found.holidays) {
      expect(price.toProvider + (price.atHotel ?? 0)).toBeCloseTo(price.total, 5);
      expect(price.asOf).toMatch(/^2027-04-01T/);
      expect(['Sunward', 'Blue Bay']).toContain(price.provider);
    }
  });

  it.each(PRICES)('compares: %s', async (_request, period) => {
    const groups = {
      day: ({ day }: Package) => fromDayNumber(day),
      month: ({ day }: Package) => fromDayNumber(day).slice(0, 7),
      country: ({ country }: Package) => country,
      region: ({ country, region }: Package) => `${region}, ${country}`,
      resort: ({ country, region, resort }: Package) => `${resort}, ${region}, ${country}`,
    };
    const expected = lowestOf(matching(period, period.fromDate, period.toDate), groups[period.by]);
    const { prices } = await call<{ prices: { of: string; total: number }[] }>('cheapest', period);
    expect(
      prices
        .map(({ of, total }) => [of, total])
        .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    ).toEqual(expected);
  });

  it.each(NAMES)('finds names: %s', async (_request, text, places, codes) => {
    const found = await call<{
      places: { country: string; region: string; resort: string }[];
      airports: { codes: string[] }[];
      notFound: boolean;
    }>('find_places', { text });
    const names = found.places.map(({ country, region, resort }) => `${country}/${region}/${resort}`);
    expect(names.slice(0, places.length)).toEqual(places);
    for (const code of codes) expect(found.airports.flatMap((airport) => airport.codes)).toContain(code);
    expect(found.notFound).toBe(places.length + codes.length === 0);
  });
});

function lowestOfFound(holidays: readonly FoundHoliday[]): [string, number][] {
  return holidays
    .map(({ hotel, price }): [string, number] => [hotel, price.total])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}
