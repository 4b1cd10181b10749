import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import type { PackageSort } from '../../domain/sort-by.ts';
import { type HotelOfMock, itemsFor, type SpecItem } from './spec-items.ts';

/** A search request as received. */
export interface RecordedSearch {
  headers: IncomingMessage['headers'];
  /** The parsed body. */
  body: { query: string; variables: SearchVariables };
}

export interface SearchVariables {
  filters: PackageSearchFilters;
  sortBy: PackageSort;
  limit: number;
  nextToken: string | null;
}

/** A response, or a failure of the connection. */
export type MockAnswer =
  | { items: readonly unknown[]; nextToken?: string | null; hasMoreData?: boolean; count?: number }
  | { status: number; body: string; type?: string }
  | 'no answer'
  | 'connection reset';

/** A day of `priceCalendar`, which only responds if a test scripts it. */
export interface MockPrice {
  DepartureDate: string;
  TotalPrice: number;
}

/** A request for prices by day, as received. Filters are keyed by the names of their variables. */
export interface RecordedPrices {
  query: string;
  variables: Record<string, PackageSearchFilters>;
}

/** Returns the prices for one of the filters. Null: the request fails. */
export type PricesScript = (
  filters: PackageSearchFilters,
) => Promise<MockPrice[] | null> | MockPrice[] | null;

export type SearchScript = (variables: SearchVariables) => MockAnswer | Promise<MockAnswer>;

export interface MockServer {
  url: string;
  /** The configuration of a page that uses this server. */
  config: Record<string, unknown>;
  searches: RecordedSearch[];
  prices: RecordedPrices[];
  /** The bodies posted to /intents. */
  signUps: unknown[];
  /** The responses to searches, sign-ups and list requests. `reset` restores the defaults. */
  script: {
    search: SearchScript;
    prices: PricesScript;
    signUp: MockAnswer;
    places: MockAnswer;
    airports: MockAnswer;
  };
  hotels: readonly HotelOfMock[];
  reset(): void;
  close(): Promise<void>;
}

export const MOCK_KEY = 'a-key-of-another-server';

/** Has the quotes, commas and line endings of real lists. */
export const PLACES = [
  'Country,REGION,resort,population',
  'Spain,Costa Blanca,Benidorm,68000',
  'Spain,"Costa Blanca",Calpe,22000',
  'Spain,Tenerife,Costa Adeje,28000',
  'Spain,Andalucía,Málaga,590000',
  'Greece,Crete,Malia,3200',
].join('\r\n');

export const AIRPORTS = [
  'London,LON,1',
  'Gatwick,LGW,',
  'Luton,LTN,',
  'Midlands,MID,1',
  'Birmingham,BHX,',
  'East Midlands,EMA,',
].join('\n');

/** 23 hotels, whose order differs by price, stars and departure time. */
export const MOCK_HOTELS: readonly HotelOfMock[] = Array.from({ length: 23 }, (_, index) => ({
  name: `Hotel Faro ${String(index + 1).padStart(2, '0')}`,
  price: 400 + ((index * 7) % 23) * 25,
  stars: 2 + (index % 7) / 2,
  departs: `${String(6 + ((index * 5) % 12)).padStart(2, '0')}:${index % 2 === 0 ? '05' : '35'}`,
}));

/**
 * A server that implements only the contract of Section 7, on another origin, with different paths, key,
 * brand and lists. It returns only fields that the specification names.
 */
export async function startMockServer(): Promise<MockServer> {
  const server = createServer((request, response) => {
    void answer(mock, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mock: MockServer = {
    url,
    config: {
      searchEndpoint: `${url}/api/holidays`,
      searchApiKey: MOCK_KEY,
      conversationEndpoint: `${url}/conversations/`,
      locationsUrl: `${url}/lists/places.csv`,
      departureAirportsUrl: `${url}/lists/airports.csv`,
      brandName: 'Seaward',
      brandCode: 'SEA',
      providerName: 'Seaward Travel',
      providerUrl: 'https://www.seaward.example/',
      providers: { SEA: { name: 'Seaward Travel', logoUrl: null, atol: '12345' } },
      whatsappChannelId: 'channel-9',
      priceAnalysisUrl: null,
    },
    searches: [],
    prices: [],
    signUps: [],
    script: freshScript(),
    hotels: MOCK_HOTELS,
    reset() {
      mock.searches.length = 0;
      mock.prices.length = 0;
      mock.signUps.length = 0;
      mock.script = freshScript();
      mock.hotels = MOCK_HOTELS;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return mock;

  function freshScript(): MockServer['script'] {
    return {
      search: (variables) => searchHotels(mock.hotels, variables),
      prices: () => null,
      signUp: { status: 200, body: '{}' },
      places: { status: 200, body: PLACES, type: 'text/csv' },
      airports: { status: 200, body: AIRPORTS, type: 'text/csv' },
    };
  }
}

/** A simple search with filters, sort order, at most 100 items, and a token for the next page. */
export function searchHotels(hotels: readonly HotelOfMock[], variables: SearchVariables): MockAnswer {
  const { filters, sortBy, limit, nextToken } = variables;
  const all = itemsFor(hotels, filters).sort(IN_ORDER[sortBy]);
  const from = nextToken === null ? 0 : Number(nextToken.replace('after-', ''));
  const to = from + Math.min(limit, 100);
  const hasMoreData = to < all.length;
  const token = hasMoreData ? `after-${to}` : null;
  return { items: all.slice(from, to), hasMoreData, nextToken: token, count: all.length };
}

type Order = (one: SpecItem, other: SpecItem) => number;

const IN_ORDER: Record<PackageSort, Order> = {
  PRICE_ASC: (one, other) => price(one) - price(other),
  PRICE_DESC: (one, other) => price(other) - price(one),
  DEPARTURE_DATE_ASC: (one, other) => departure(one).localeCompare(departure(other)),
  DEPARTURE_DATE_DESC: (one, other) => departure(other).localeCompare(departure(one)),
  STAR_RATING_DESC: (one, other) => stars(other) - stars(one),
  STAR_RATING_ASC: (one, other) => stars(one) - stars(other),
};

const price = (item: SpecItem) => Number(item.TotalPrice);
const stars = (item: SpecItem) => (JSON.parse(String(item.Hotel)) as { StarRating: number }).StarRating;
const departure = (item: SpecItem) =>
  (JSON.parse(String(item.Flight)) as { DepartureDateTime_Outbound: string }).DepartureDateTime_Outbound;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, x-api-key',
  'access-control-allow-methods': 'GET, POST',
};

async function answer(mock: MockServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', mock.url).pathname;
  if (request.method === 'OPTIONS') return send(response, { status: 204, body: '' });
  if (path === '/lists/places.csv') return send(response, mock.script.places);
  if (path === '/lists/airports.csv') return send(response, mock.script.airports);
  if (request.method !== 'POST') return send(response, { status: 404, body: 'not here' });
  const body = await bodyOf(request);
  if (path === '/conversations/intents') {
    mock.signUps.push(body);
    return send(response, mock.script.signUp);
  }
  if (path !== '/api/holidays') return send(response, { status: 404, body: 'not here' });
  if (request.headers['x-api-key'] !== MOCK_KEY) return send(response, { status: 401, body: 'no such key' });
  if ((body as RecordedPrices).query.includes('priceCalendar')) {
    mock.prices.push(body as RecordedPrices);
    return send(response, await answerPrices(mock.script.prices, body as RecordedPrices));
  }
  const search = { headers: request.headers, body: body as RecordedSearch['body'] };
  mock.searches.push(search);
  return send(response, await mock.script.search(search.body.variables));
}

/** Each field of the query is an alias with its own filters. */
async function answerPrices(script: PricesScript, { query, variables }: RecordedPrices): Promise<MockAnswer> {
  const data: Record<string, MockPrice[]> = {};
  for (const [, alias = '', name = ''] of query.matchAll(/(\w+): priceCalendar\(filters: \$(\w+)\)/g)) {
    const filters = variables[name];
    const prices = filters === undefined ? null : await script(filters);
    if (prices === null) return { status: 503, body: 'busy' };
    data[alias] = prices;
  }
  return { status: 200, body: JSON.stringify({ data }), type: 'application/json' };
}

function send(response: ServerResponse, answer: MockAnswer): void {
  if (answer === 'no answer') return;
  if (answer === 'connection reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if ('status' in answer) {
    response.writeHead(answer.status, { ...CORS, 'content-type': answer.type ?? 'text/plain' });
    response.end(answer.body);
    return;
  }
  const { items, nextToken = null, hasMoreData = false, count = items.length } = answer;
  const searchPackages = {
    items,
    nextToken,
    count,
    errors: null,
    hasMoreData,
    queriesExecuted: 1,
    totalReturned: items.length,
  };
  response.writeHead(200, { ...CORS, 'content-type': 'application/json' });
  response.end(JSON.stringify({ data: { searchPackages } }));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
