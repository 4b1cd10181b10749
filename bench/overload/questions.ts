import { parseAirports } from '../../domain/airport.ts';
import { addDays, type CalendarDate, todayInLondon } from '../../domain/calendar-date.ts';
import { parseDestinations } from '../../domain/destination.ts';
import { PRICE_ANALYSIS_QUERY } from '../../domain/price-analysis-answer.ts';
import { PRICE_HISTORY_QUERY } from '../../domain/price-history-answer.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { anySearch, numbersFrom } from '../search/any-search.ts';
import type { LoadClient, Question } from './load-client.ts';

export interface Questions {
  /** An exact search of the page, from an address of its own group. */
  exact(nth: number, group: number): Question;
  /** A search of one day everywhere, from every airport. */
  heavy(nth: number, group: number): Question;
  /** What one address may ask in a loop to hurt others. */
  attacks: Readonly<Record<string, Question>>;
}

/** Different exact searches. */
const EXACT = 200;

/** The airport with the most departures of the sample. */
const LARGEST = ['MAN'];

const ATTACKER = '198.51.100.7';

/** Packages that one request may analyse. */
const ANALYSES = 10;

/** Departures of the sample are on sale this many days ahead at least. */
const DAYS_ON_SALE = 300;

export async function readQuestions(server: string): Promise<Questions & { key: string }> {
  const read = async (path: string) => (await fetch(server + path)).text();
  const config = JSON.parse(await read('/config.json')) as { searchApiKey: string; brandCode: string };
  const airports = parseAirports(await read('/data/departure-airports.csv'));
  const first = addDays(todayInLondon(Date.now()), 1);
  const world = {
    destinations: parseDestinations(await read('/data/locations.csv')),
    airports,
    brand: config.brandCode,
    first,
    last: addDays(first, DAYS_ON_SALE),
  };
  const random = numbersFrom(1);
  const bodies = Array.from({ length: EXACT }, () =>
    JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables: anySearch(world, random) }),
  );
  const codes = airports.filter(({ isRegion }) => !isRegion).map(({ code }) => code);
  return {
    key: config.searchApiKey,
    exact: (nth, group) => ({
      path: '/graphql',
      body: bodies[nth % EXACT] ?? '',
      address: addressOf(nth, group),
    }),
    heavy: (nth, group) => ({
      path: '/graphql',
      body: heavyBody(config.brandCode, codes, addDays(first, 30 + (nth % 100))),
      address: addressOf(nth, group),
    }),
    attacks: attacksOn(config.brandCode, codes, first, await keysOnSale(server, config.searchApiKey, bodies)),
  };
}

/** The packages of the first search that finds some. */
async function keysOnSale(server: string, key: string, bodies: readonly string[]): Promise<string[]> {
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const answer = await fetch(`${server}/graphql`, { method: 'POST', headers, body });
    const { data } = (await answer.json()) as {
      data: { searchPackages: { items: readonly { ItemKey: string }[] } };
    };
    const { items } = data.searchPackages;
    if (items.length >= ANALYSES) return items.slice(0, ANALYSES).map(({ ItemKey }) => ItemKey);
  }
  throw new Error('No search of the bench finds packages');
}

function addressOf(nth: number, group: number): string {
  return `10.${group}.${Math.floor(nth / 250) % 250}.${nth % 250}`;
}

function heavyBody(brand: string, departureAirports: readonly string[], startDate: CalendarDate): string {
  const filters = { brand, departureAirports, startDate, endDate: addDays(startDate, 7), duration: 7 };
  return JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables: { filters, limit: 10 } });
}

function attacksOn(
  brand: string,
  codes: readonly string[],
  first: CalendarDate,
  itemKeys: readonly string[],
): Questions['attacks'] {
  const search = (limit: number) =>
    `searchPackages(filters: $filters, sortBy: DEPARTURE_DATE_ASC, limit: ${limit}) { count items { ItemKey TotalPrice Hotel Flight } }`;
  const field = search(100);
  const calendar = 'priceCalendar(filters: $filters) { DepartureDate TotalPrice }';
  const explore = 'explore(filters: $filters, level: RESORT) { TotalPrice Months { Month TotalPrice } }';
  const ask = (selections: string, filters: object): Question => ({
    path: '/graphql',
    body: JSON.stringify({
      query: `query ($filters: PackageSearchFilters!) { ${selections} }`,
      variables: { filters: { brand, departureAirports: codes, startDate: first, ...filters } },
    }),
    address: ATTACKER,
  });
  const prices = (query: string, variables: object): Question => ({
    path: '/graphql',
    body: JSON.stringify({ query, variables }),
    address: ATTACKER,
  });
  const tenTimes = (one: string) => Array.from({ length: 10 }, (_, nth) => `a${nth}: ${one}`).join(' ');
  return {
    // These are the largest that are answered.
    'a year from one airport': ask(field, { departureAirports: LARGEST, endDate: addDays(first, 365) }),
    'places from one airport': ask(explore, { departureAirports: LARGEST, endDate: addDays(first, 600) }),
    'a calendar from one airport': ask(calendar, {
      departureAirports: LARGEST,
      endDate: addDays(first, 600),
    }),
    'places by ten aliases': ask(tenTimes(explore), {
      departureAirports: LARGEST,
      country: 'Spain',
      duration: 7,
      endDate: addDays(first, 500),
    }),
    'seven days by ten aliases': ask(tenTimes(search(10)), {
      country: 'Spain',
      endDate: addDays(first, 13),
      duration: 7,
    }),
    'a day by ten aliases': ask(tenTimes(search(10)), { endDate: addDays(first, 7), duration: 7 }),
    // Refused after its blocks are counted, and before.
    'ten times 100 packages': ask(tenTimes(field), { endDate: addDays(first, 7), duration: 7 }),
    'the widest question': ask(field, { endDate: addDays(first, 600) }),
    'the widest by ten aliases': ask(tenTimes(explore), { endDate: addDays(first, 600) }),
    'an exact search': ask(field, { endDate: addDays(first, 7), duration: 7, country: 'Spain' }),
    'nearby dates': ask('cheapestDates(filters: $filters) { DepartureDate TotalPrice }', {
      endDate: addDays(first, 7),
      duration: 7,
      country: 'Spain',
    }),
    'ten analyses': prices(PRICE_ANALYSIS_QUERY, { itemKeys }),
    'a price history': prices(PRICE_HISTORY_QUERY, { itemKey: itemKeys[0] }),
    'sign-ups of 60 kB': {
      path: '/intents',
      body: JSON.stringify({ intentName: 'alertSignup', filler: 'x'.repeat(60_000) }),
      address: ATTACKER,
    },
    'broken JSON': { path: '/graphql', body: '{"query":', address: ATTACKER },
    // What no limit counts.
    'the page': get('/results?country=Spain'),
    'the settings': get('/config.json'),
    'the list of places': get('/data/locations.csv'),
    'no such page': get('/no-such-page.php'),
    'the health check': get('/readyz'),
    'a preflight': { ...get('/graphql'), method: 'OPTIONS' },
  };
}

function get(path: string): Question {
  return { method: 'GET', path, body: '', address: ATTACKER };
}

/** Asks every exact search once, so that caches are as warm alone as under load. */
export async function warmUp({ ask }: LoadClient, { exact }: Questions): Promise<void> {
  for (let nth = 0; nth < EXACT; nth += 1) await ask(exact(nth, 0));
}
