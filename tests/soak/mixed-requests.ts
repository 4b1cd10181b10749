import { addDays } from '../../domain/calendar-date.ts';
import { PRICE_ANALYSIS_QUERY } from '../../domain/price-analysis-response.ts';
import { PRICE_HISTORY_QUERY } from '../../domain/price-history-response.ts';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { TODAY } from '../fixtures/market.ts';
import { firstShownPrice, type ShownPrice } from '../fixtures/shown-price.ts';

/** A visitor to a server, who has searched once. */
export interface Visitor {
  url: string;
  key: string;
  shown: ShownPrice;
}

/** A kind of request: its share of all requests, and the outcomes that are allowed. */
export interface RequestKind {
  name: string;
  share: number;
  outcomes: readonly Outcome[];
  send(visitor: Visitor, nth: number): Promise<Outcome>;
}

/** A status, a GraphQL response with errors, or a request that the client aborted. */
type Outcome = number | 'errors' | 'hung up';

/** How many departure days, from tomorrow on, the searches use. */
const DAYS = 50;

/** The server may reject these requests when it is overloaded. */
const OR_REFUSED = [200, 503];

const CALENDAR_QUERY = `query ($filters: PackageSearchFilters!) {
  priceCalendar(filters: $filters) { DepartureDate TotalPrice Duration }
}`;
const EXPLORE_QUERY = `query ($filters: PackageSearchFilters!) {
  explore(filters: $filters, level: RESORT) { HolidayResort TotalPrice Months { Month TotalPrice } }
}`;
const NEARBY_QUERY = `query ($filters: PackageSearchFilters!) {
  cheapestDates(filters: $filters) { DepartureDate TotalPrice }
}`;

export const REQUEST_KINDS: readonly RequestKind[] = [
  {
    name: 'search',
    share: 38,
    outcomes: OR_REFUSED,
    send: (visitor, nth) => search(visitor, { filters: filtersOf(dayOf(nth), 7) }),
  },
  {
    name: 'next page',
    share: 4,
    outcomes: OR_REFUSED,
    send: nextPage,
  },
  {
    name: 'search of weeks',
    share: 6,
    outcomes: OR_REFUSED,
    send: (visitor, nth) => search(visitor, { filters: filtersOf(dayOf(nth), 21) }),
  },
  {
    name: 'calendar',
    share: 2,
    outcomes: OR_REFUSED,
    send: (visitor, nth) => ask(visitor, CALENDAR_QUERY, { filters: filtersOf(dayOf(nth), 90) }),
  },
  {
    name: 'places',
    share: 1,
    outcomes: OR_REFUSED,
    send: (visitor, nth) => ask(visitor, EXPLORE_QUERY, { filters: filtersOf(dayOf(nth), 30) }),
  },
  {
    name: 'nearby dates',
    share: 2,
    outcomes: OR_REFUSED,
    send: (visitor, nth) => ask(visitor, NEARBY_QUERY, { filters: filtersOf(dayOf(nth), 7) }),
  },
  {
    name: 'analysis',
    share: 2,
    outcomes: OR_REFUSED,
    send: (visitor) => ask(visitor, PRICE_ANALYSIS_QUERY, { itemKeys: [visitor.shown.itemKey] }),
  },
  {
    name: 'history',
    share: 2,
    outcomes: OR_REFUSED,
    send: (visitor) => ask(visitor, PRICE_HISTORY_QUERY, { itemKey: visitor.shown.itemKey }),
  },
  {
    name: 'search that is given up',
    share: 3,
    // The response may arrive before the client aborts.
    outcomes: [200, 503, 'hung up'],
    send: giveUp,
  },
  { name: 'page', share: 10, outcomes: OR_REFUSED, send: ({ url }) => get(url) },
  { name: 'list', share: 5, outcomes: [200], send: ({ url }) => get(`${url}/data/locations.csv`) },
  { name: 'click', share: 8, outcomes: [204, 503], send: ({ url, shown }) => post(`${url}/visits`, shown) },
  {
    name: 'sign-up',
    share: 4,
    outcomes: [200, 429, 503],
    send: ({ url, shown }, nth) =>
      post(`${url}/intents`, signUpBody(dramaNumber(Math.floor(nth / 25) % 900), shown.itemKey)),
  },
  {
    name: 'broken body',
    share: 3,
    outcomes: [400, 503],
    send: ({ url }) => postText(`${url}/intents`, '{"a":'),
  },
  {
    name: 'deep body',
    share: 2,
    outcomes: [400, 503],
    send: ({ url }) => postText(`${url}/intents`, '['.repeat(5_000)),
  },
  {
    name: 'large body',
    share: 2,
    outcomes: [413, 503],
    send: ({ url }) => postText(`${url}/intents`, 'x'.repeat(70_000)),
  },
  {
    name: 'unsigned webhook',
    share: 1,
    outcomes: [401, 404, 503],
    send: ({ url }) => post(`${url}/webhooks/whatsapp`, { entry: [] }),
  },
  // Like a monitoring system. The first request starts the thread that reads the store's facts.
  { name: 'metrics', share: 1, outcomes: [200], send: ({ url }) => get(`${url}/metrics`) },
  {
    name: 'unknown address',
    share: 4,
    outcomes: [404, 503],
    send: ({ url }, nth) => get(`${url}/nothing/${nth}`),
  },
];

/** Reads what a visitor's page knows about the server. */
export async function visitorOf(url: string): Promise<Visitor> {
  const { searchApiKey } = (await (await fetch(`${url}/config.json`)).json()) as { searchApiKey: string };
  const asker = { url, key: searchApiKey };
  const found = await graphql(asker, SEARCH_PACKAGES_QUERY, { filters: filtersOf(DAYS / 2, 7) });
  return { ...asker, shown: firstShownPrice(await found.json()) };
}

/**
 * The departure day of the nth request. Shifts by a day every hundred requests, because each hundred has
 * the kinds in the same order.
 */
const dayOf = (nth: number) => (nth + Math.floor(nth / 100)) % DAYS;

/** Filters for trips of a week within this many days. */
function filtersOf(day: number, days: number): object {
  const startDate = addDays(TODAY, 1 + day);
  return {
    brand: 'SKY',
    country: 'Spain',
    startDate,
    endDate: addDays(startDate, days),
    departureAirports: ['LGW', 'LTN', 'MAN'],
    numberOfAdults: 2,
    numberOfChildren: 0,
    numberOfInfants: 0,
    duration: 7,
  };
}

type Asker = Pick<Visitor, 'url' | 'key'>;

async function graphql(
  { url, key }: Asker,
  query: string,
  variables: object,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
}

/** Runs a GraphQL query, reads the response, and returns its outcome. */
async function ask(asker: Asker, query: string, variables: object, signal?: AbortSignal): Promise<Outcome> {
  const answer = await graphql(asker, query, variables, signal);
  const { errors } = (await answer.json()) as { errors?: unknown };
  return answer.status === 200 && errors !== undefined ? 'errors' : answer.status;
}

function search(asker: Asker, variables: object, signal?: AbortSignal): Promise<Outcome> {
  return ask(asker, SEARCH_PACKAGES_QUERY, { sortBy: 'PRICE_ASC', limit: 100, ...variables }, signal);
}

/** Searches, then requests the second page. */
async function nextPage(visitor: Visitor, nth: number): Promise<Outcome> {
  const filters = filtersOf(dayOf(nth), 7);
  const first = await graphql(visitor, SEARCH_PACKAGES_QUERY, { filters, limit: 5 });
  if (first.status !== 200) return first.status;
  const { data } = (await first.json()) as { data: { searchPackages: { nextToken: string | null } } };
  return search(visitor, { filters, limit: 5, nextToken: data.searchPackages.nextToken });
}

async function giveUp(visitor: Visitor, nth: number): Promise<Outcome> {
  try {
    return await search(visitor, { filters: filtersOf(dayOf(nth), 21) }, AbortSignal.timeout(nth % 10));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return 'hung up';
    throw error;
  }
}

async function get(url: string): Promise<Outcome> {
  return statusOf(await fetch(url));
}

function post(url: string, body: object): Promise<Outcome> {
  return postText(url, JSON.stringify(body));
}

async function postText(url: string, body: string): Promise<Outcome> {
  const headers = { 'content-type': 'application/json' };
  return statusOf(await fetch(url, { method: 'POST', headers, body }));
}

async function statusOf(answer: Response): Promise<Outcome> {
  await answer.arrayBuffer();
  return answer.status;
}
