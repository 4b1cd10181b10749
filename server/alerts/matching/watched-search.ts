import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expandAirport, findAirportSelection, parseAirports } from '../../../domain/airport.ts';
import { addDays, type CalendarDate, dayNumber, parseCalendarDate } from '../../../domain/calendar-date.ts';
import { parseCsv } from '../../../domain/csv.ts';
import { FILTER_ENTRIES } from '../../../domain/filters.ts';
import { PARTY_PARAMETERS } from '../../../domain/party-parameters.ts';
import { toRefinements } from '../../../domain/refinements.ts';
import { parseBoardBasis } from '../../../domain/result-filters.ts';
import { readSearch, searchEntries } from '../../../domain/search-address.ts';
import { buildSearchFilters, type PackageSearchFilters } from '../../../domain/search-filters.ts';
import type { WatchedTrip } from '../../../domain/search-watch.ts';
import { foldedName } from '../../inventory/catalogue.ts';
import { departureDays, MAX_DAYS_OF_REFINED } from '../../package-search/query/search-cost.ts';
import { parseArguments, type SearchRequest } from '../../package-search/query/search-request.ts';

/** A search as an address has it (docs/contracts/results-address.md), with `until`, the last day of departure. */
export interface WatchedSearch {
  /** The same for all spellings of a search. */
  query: string;
  trip: WatchedTrip;
  request: Pick<SearchRequest, 'filters' | 'refine'>;
  airports: readonly string[];
  lastDay: CalendarDate;
  nights: readonly [least: number, most: number];
  /** The code of the only hotel; '' if there are others. */
  hotelCode: string;
  /** The codes of the boards; empty: all. */
  boards: readonly string[];
}

const LISTS = join(import.meta.dirname, '../../../assets');
const AIRPORTS = parseAirports(readFileSync(join(LISTS, 'departure-airports.csv'), 'utf8'));

/** The folded names of every place on the list, level by level. */
export const LISTED_PLACES: ReadonlySet<string> = new Set(
  parseCsv(readFileSync(join(LISTS, 'locations.csv'), 'utf8'))
    .flat()
    .map(foldedName),
);

const OWN = ['until', 'alert', 'holiday', 'sort', 'size', 'page'];
const SPECIFIED = ['country', 'region', 'resort', 'from', 'or', 'date', 'flex', 'nights', 'board', 'stars'];
const PARAMETERS: ReadonlySet<string> = new Set([
  ...SPECIFIED,
  ...OWN,
  ...PARTY_PARAMETERS,
  ...FILTER_ENTRIES.map(([key]) => key),
]);

/** The only place of a search without one. A watch of one hotel or of a window needs none. */
const ANYWHERE = ['*', '', ''] as const;

/** Reads a query as strictly as the search reads its arguments; null if any part is missing, unknown or invalid. */
export function readWatchedSearch(query: string): WatchedSearch | null {
  const parameters = new URLSearchParams(query);
  if ([...parameters.keys()].some((name) => !PARAMETERS.has(name))) return null;
  const [, least, most = least] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(parameters.get('nights') ?? '7') ?? [];
  const nights = [Number(least), Number(most)] as const;
  const untilText = parameters.get('until');
  const until = untilText === null ? null : parseCalendarDate(untilText);
  // A watch may have stays that the form does not offer.
  parameters.delete('nights');
  const search = readSearch(parameters);
  const { date, flexibility, unread } = search;
  const airport = findAirportSelection(AIRPORTS, search.from ?? '');
  if (
    unread.length > 0 ||
    date === null ||
    airport === undefined ||
    !(nights[0] >= 1 && nights[1] >= nights[0])
  )
    return null;
  if (untilText !== null && (until === null || until < date || flexibility.days > 0)) return null;
  const maxNights = nights[1] > nights[0] ? nights[1] : null;
  const trip = { ...search, airport, date, until, flexibility: { ...flexibility, maxNights } };
  const filters = buildSearchFilters(
    { ...trip, destination: search.destination ?? ANYWHERE, departureAirport: airport, duration: nights[0] },
    '*',
  );
  if (filters === null || (search.destination === null && until === null)) return null;
  const refine = Object.keys(search.refine).length === 0 ? {} : { refine: toRefinements(search.refine) };
  const parsed = parseArguments('searchPackages', {
    ...refine,
    filters: withWindow(filters, { until, most: nights[1], isAnywhere: search.destination === null }),
  });
  if (parsed.kind === 'bad-input') return null;
  if (parsed.request.refine !== null && departureDays(parsed.request.filters) > MAX_DAYS_OF_REFINED)
    return null;
  const entries: [string, string][] = searchEntries({
    ...search,
    departureAirport: airport,
    duration: 7,
    sortBy: 'default',
    perPage: 0,
    page: 0,
  }).filter(([name]) => !OWN.includes(name) && name !== 'nights');
  entries.push(['nights', maxNights === null ? String(nights[0]) : nights.join('-')]);
  if (until !== null) entries.push(['until', until]);
  return {
    query: new URLSearchParams(entries).toString(),
    trip: { ...trip, duration: nights[0] as WatchedTrip['duration'] },
    request: parsed.request,
    airports: expandAirport(airport),
    lastDay: until ?? addDays(date, flexibility.days),
    nights,
    hotelCode: search.refine.hotelcode?.[0] ?? '',
    boards: [search.boardBasis, ...(parsed.request.refine?.boards ?? [])].filter((code) => code !== ''),
  };
}

function withWindow(
  { country, ...filters }: PackageSearchFilters,
  { until, most, isAnywhere }: { until: CalendarDate | null; most: number; isAnywhere: boolean },
): PackageSearchFilters {
  return {
    ...filters,
    ...(country !== undefined && !isAnywhere && { country }),
    ...(until !== null && { endDate: addDays(until, most), lastDeparture: until }),
  };
}

/** Ranges of days. A watch is stored under the shortest that holds its days, so that a query reads only days near its own. */
export const WIDTHS = [7, 31, 1_000];

/** One row per place: what a package must be like for the search to find it, roughly. */
export function placesOf({ trip, request, airports, lastDay, nights, hotelCode, boards }: WatchedSearch) {
  const { filters, refine } = request;
  const { destination, flexibility, date } = trip;
  const places = [...(destination === null ? [] : [destination]), ...flexibility.places];
  const least = Math.ceil(2 * (refine?.minStars ?? 0));
  const isWanted = (halfStars: number) =>
    halfStars >= least && (filters.starRating === null || Math.floor(halfStars / 2) === filters.starRating);
  const stars = ALL_STARS.filter(isWanted).reduce((mask, halfStars) => mask | (1 << starBit(halfStars)), 0);
  const [first, last] = [dayNumber(date) - flexibility.days, dayNumber(lastDay)];
  const { numberOfAdults, numberOfChildren, numberOfInfants } = filters;
  return {
    party: `${numberOfAdults}-${numberOfChildren}-${numberOfInfants}`,
    places:
      hotelCode !== ''
        ? [placeKey.hotel(hotelCode)]
        : places.length === 0
          ? [placeKey.anywhere]
          : [...new Set(places.map(placeKey.of))],
    values: [
      WIDTHS.find((width) => width >= last - first) ?? 0,
      first,
      last,
      ...nights,
      maskOf(airports),
      boards.length === 0 ? ANY : maskOf(boards),
      stars,
    ],
  };
}

/** The names by which watches and packages meet. A place is named by its lowest level alone. */
export const placeKey = {
  anywhere: '*',
  hotel: (code: string) => `h:${code}`,
  country: (name: string) => `c:${foldedName(name)}`,
  region: (name: string) => `r:${foldedName(name)}`,
  resort: (name: string) => `t:${foldedName(name)}`,
  of: ([country, region, resort]: readonly [string, string, string]) =>
    resort !== ''
      ? placeKey.resort(resort)
      : region !== ''
        ? placeKey.region(region)
        : placeKey.country(country),
};

const ANY = -1;

/** Bits of a mask, which stays positive. */
const BITS = 31;

const ALL_STARS = Array.from({ length: BITS }, (_, halfStars) => halfStars);

/** The bit of a code, from 0 to 30. Codes may share one: a watch may match too much, because its search runs again. */
export function bitOf(code: string): number {
  let hash = 0;
  for (let at = 0; at < code.length; at += 1) hash = (hash * 31 + code.charCodeAt(at)) | 0;
  return (hash >>> 0) % BITS;
}

/** The bit of a number of half stars. */
export function starBit(halfStars: number): number {
  return Math.min(BITS - 1, Math.max(0, halfStars));
}

function maskOf(codes: readonly string[]): number {
  return codes.reduce((mask, code) => mask | (1 << bitOf(code.toUpperCase())), 0);
}

/** The query that finds a package alone among its hotel's: that of its day, nights, party, airport and board. */
export function pinnedQuery(of: {
  country: string;
  region: string;
  resort: string;
  airport: string;
  departure: CalendarDate;
  nights: number;
  board: string;
  party: string;
  hotelCode: string;
}): string {
  const { country, region, resort, airport, departure, nights, board, party, hotelCode } = of;
  const [adults = '2', children = '0', infants = '0'] = party.split('-');
  const parameters = { country, region, resort, from: airport, date: departure, nights: String(nights) };
  const inBoard = { [parseBoardBasis(board) === null ? 'boards' : 'board']: board };
  const who = { adults, children, infants, ...inBoard, hotelcode: hotelCode };
  return new URLSearchParams(
    Object.entries({ ...parameters, ...who }).filter(([, value]) => value !== ''),
  ).toString();
}
