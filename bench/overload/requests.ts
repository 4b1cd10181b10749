import { addDays, type CalendarDate } from '../../domain/calendar-date.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { anySearch, numbersFrom } from '../search/any-search.ts';
import { readWorld } from '../support/read-world.ts';
import type { LoadRequest } from './load-client.ts';

export interface LoadRequests {
  key: string;
  /** An exact search, as the page sends it. `nth` and `group` decide the IP address of its client. */
  exact(nth: number, group: number): LoadRequest;
  /** A search for one day, in all places and from all airports. */
  heavy(nth: number, group: number): LoadRequest;
  /** Each makes a request that one client can repeat in a loop. Each call uses a new IP address. */
  loops: Readonly<Record<string, () => LoadRequest>>;
}

/** How many different exact searches there are. */
const EXACT = 200;

/** The airport with the sample's most departures. */
const LARGEST = ['MAN'];

/** The sample has departures for at least this many days ahead. */
const DAYS_ON_SALE = 300;

export async function readRequests(server: string): Promise<LoadRequests> {
  const world = await readWorld(server);
  const { key, brand, airports, first } = world;
  const random = numbersFrom(1);
  const searches = Array.from({ length: EXACT }, () =>
    anySearch({ ...world, last: addDays(first, DAYS_ON_SALE) }, random),
  );
  const codes = airports.filter(({ isRegion }) => !isRegion).map(({ code }) => code);
  const search = (variables: object, address: string): LoadRequest => ({
    path: '/graphql',
    body: JSON.stringify({ query: SEARCH_PACKAGES_QUERY, variables }),
    address,
  });
  const addressOf = (nth: number, group: number) => `10.${group}.${Math.floor(nth / 250) % 250}.${nth % 250}`;
  let looping = 0;
  const nextLooping = () => {
    looping += 1;
    return `198.51.100.${looping}`;
  };
  const get = (path: string) => () => ({ path, body: null, address: nextLooping() });
  return {
    key,
    exact: (nth, group) => search(searches[nth % EXACT] ?? {}, addressOf(nth, group)),
    heavy(nth, group) {
      const startDate = addDays(first, 30 + (nth % 100));
      const filters = { startDate, endDate: addDays(startDate, 7), duration: 7 };
      const everywhere = { brand, departureAirports: codes };
      return search({ filters: { ...everywhere, ...filters }, limit: 10 }, addressOf(nth, group));
    },
    loops: {
      'exact searches': () => search(searches[0] ?? {}, nextLooping()),
      'places by ten aliases': () => placesByAliases(brand, first, nextLooping()),
      'unknown pages': get('/no-such-page.php'),
      'the page': get('/results?country=Spain'),
    },
  };
}

function placesByAliases(brand: string, startDate: CalendarDate, address: string): LoadRequest {
  const places = 'explore(filters: $filters, level: RESORT) { TotalPrice Months { Month TotalPrice } }';
  const fields = Array.from({ length: 10 }, (_, nth) => `a${nth}: ${places}`).join(' ');
  const trip = { startDate, endDate: addDays(startDate, 500), duration: 7, country: 'Spain' };
  return {
    path: '/graphql',
    body: JSON.stringify({
      query: `query ($filters: PackageSearchFilters!) { ${fields} }`,
      variables: { filters: { brand, departureAirports: LARGEST, ...trip } },
    }),
    address,
  };
}
