import { type Airport, airportSelectionKey } from '../../domain/airport.ts';
import { type CalendarDate, parseCalendarDate } from '../../domain/calendar-date.ts';
import type { DestinationTuple } from '../../domain/destination.ts';
import { type Duration, parseDuration } from '../../domain/duration.ts';
import { parseBoardBasis, parseStarRating, type ResultFilters } from '../../domain/result-filters.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../domain/sort-and-page.ts';
import { parseSortBy, type SortBy } from '../../domain/sort-by.ts';

/** Everything that a results page depends on: a search, and how its results are looked at. */
export interface HolidaySearch extends ResultFilters {
  destination: DestinationTuple | null;
  departureAirport: Airport | null;
  date: CalendarDate | null;
  duration: Duration;
  sortBy: SortBy;
  perPage: number;
  page: number;
}

/** What could be read from an address; null for what it does not say. */
export interface SearchAddress extends ResultFilters {
  destination: DestinationTuple | null;
  /** A selection's key (`airportSelectionKey`): only the airport list can tell which airport it is. */
  from: string | null;
  date: CalendarDate | null;
  duration: Duration | null;
  sortBy: SortBy;
  perPage: number;
  page: number;
  /** False when the address says something about the search that cannot be read: then nothing is searched. */
  readable: boolean;
}

const LONGEST_NAME = 200;
const HIGHEST_PAGE = 100_000;

/** The address of a search (ruling 6): '/results?country=Spain&from=LGW&date=2027-05-01&nights=7...'. */
export function toSearchAddress(search: HolidaySearch): string {
  const parameters = new URLSearchParams();
  const add = (parameter: string, value: string | undefined) => {
    if (value) parameters.append(parameter, value);
  };
  add('country', search.destination?.[0]);
  add('region', search.destination?.[1]);
  add('resort', search.destination?.[2]);
  if (search.departureAirport) add('from', airportSelectionKey(search.departureAirport));
  add('date', search.date ?? undefined);
  add('nights', String(search.duration));
  add('board', search.boardBasis);
  add('stars', search.starRating);
  add('sort', search.sortBy);
  add('size', String(search.perPage));
  add('page', String(search.page));
  return `/results?${parameters.toString().replaceAll('%3A', ':')}`;
}

/** Reads the query string of an address, with or without its '?'. Never throws, whatever it is given. */
export function parseSearchAddress(query: string): SearchAddress {
  const parameters = new URLSearchParams(query);
  let readable = true;
  const read = <T>(parameter: string, parse: (text: string) => T | null): T | null => {
    const text = parameters.get(parameter)?.trim() ?? '';
    if (text === '') return null;
    const value = parse(text);
    if (value === null) readable = false;
    return value;
  };
  const names = [read('country', name), read('region', name), read('resort', name)];
  const [country, region, resort] = names.map((text) => text ?? '');
  const address = {
    destination: names.every((text) => text === null)
      ? null
      : ([country ?? '', region ?? '', resort ?? ''] as const),
    from: read('from', name),
    date: read('date', parseCalendarDate),
    duration: read('nights', parseDuration),
    boardBasis: read('board', parseBoardBasis) ?? '',
    starRating: read('stars', parseStarRating) ?? '',
  };
  return { ...address, ...parseView(parameters), readable };
}

/** How the results are looked at; what cannot be read falls back to the default, for it finds the same. */
function parseView(parameters: URLSearchParams): Pick<SearchAddress, 'sortBy' | 'perPage' | 'page'> {
  const size = Number(parameters.get('size'));
  const page = Number(parameters.get('page'));
  return {
    sortBy: parseSortBy(parameters.get('sort') ?? '') ?? 'default',
    perPage: PAGE_SIZES.find((option) => option === size) ?? DEFAULT_PAGE_SIZE,
    page: Number.isInteger(page) && page >= 1 && page <= HIGHEST_PAGE ? page : 1,
  };
}

function name(text: string): string | null {
  return text.length <= LONGEST_NAME ? text : null;
}
