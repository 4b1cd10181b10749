import { type Airport, airportSelectionKey } from './airport.ts';
import { type CalendarDate, parseCalendarDate } from './calendar-date.ts';
import type { DestinationTuple } from './destination.ts';
import { type Duration, parseDuration } from './duration.ts';
import { FLEXIBLE_DAYS, type Flexibility } from './flexibility.ts';
import { DEFAULT_PARTY, type Party } from './party.ts';
import { type PartyParameter, partyParameters, readCount } from './party-parameters.ts';
import { parseRefine, refineEntries } from './refinements.ts';
import { parseBoardBasis, parseStarRating, type ResultFilters } from './result-filters.ts';
import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from './sort-and-page.ts';
import { parseSortBy, type SortBy } from './sort-by.ts';

/** Where, when, how long and who: what a search is for. */
export interface SearchTrip {
  destination: DestinationTuple | null;
  departureAirport: Airport | null;
  date: CalendarDate | null;
  duration: Duration;
  party: Party;
  flexibility: Flexibility;
}

/** A search with its filters, sort order, page size and page. */
export interface HolidaySearch extends SearchTrip, ResultFilters {
  sortBy: SortBy;
  perPage: number;
  page: number;
}

/** The parsed parts of a URL; null for missing parts. */
export interface SearchUrl extends ResultFilters {
  /** As the URL spells it, not checked against the list. */
  destination: DestinationTuple | null;
  /** The key of an airport or region (`airportSelectionKey`), not checked against the list. */
  from: string | null;
  date: CalendarDate | null;
  duration: Duration | null;
  /** Two adults by default; not checked against the settings. */
  party: Party;
  /** Its places as the URL spells them. */
  flexibility: Flexibility;
  sortBy: SortBy;
  perPage: number;
  page: number;
  /** The invalid parts, in the order of the form's fields. */
  unread: readonly UnreadPart[];
}

/** An invalid part of a URL, with its text. */
export interface UnreadPart {
  part:
    | 'place'
    | 'from'
    | 'date'
    | 'nights'
    | 'flex'
    | 'exact'
    | PartyParameter
    | 'party'
    | 'board'
    | 'stars'
    | 'filter'
    | 'filters'
    | 'sort'
    | 'size'
    | 'page';
  text: string;
}

const MAX_PAGE = 100_000;

/** Between the names of a further place. */
const SEPARATOR = '|';

/** What a search's URL says, parameter by parameter. */
export function searchEntries(search: HolidaySearch): [parameter: string, value: string][] {
  const { days, maxNights, places } = search.flexibility;
  const nights = [search.duration, ...(maxNights && maxNights > search.duration ? [maxNights] : [])];
  const [country = '', region = '', resort = ''] = search.destination ?? [];
  const entries: [string, string][] = [
    ['country', country],
    ['region', region],
    ['resort', resort],
    ['from', search.departureAirport === null ? '' : airportSelectionKey(search.departureAirport)],
    ...places.map((place): [string, string] => ['or', place.join(SEPARATOR)]),
    ['date', search.date ?? ''],
    ['flex', days > 0 ? String(days) : ''],
    ['nights', nights.join('-')],
    ...partyParameters(search.party),
    ['board', search.boardBasis],
    ['stars', search.starRating],
    ...refineEntries(search.refine).flatMap(([key, values]) =>
      values.map((value): [string, string] => [key, value]),
    ),
    ['sort', search.sortBy],
    ['size', String(search.perPage)],
    ['page', String(search.page)],
  ];
  return entries.filter(([, value]) => value !== '');
}

/** The parameters of a query string, as `URLSearchParams` has them. */
export interface QueryParameters {
  get(parameter: string): string | null;
  getAll(parameter: string): string[];
}

/** Reads the parameters of a URL. Never throws. */
export function readSearch(parameters: QueryParameters): SearchUrl {
  const unread: UnreadPart[] = [];
  const textOf = (parameter: string) => parameters.get(parameter)?.trim() ?? '';
  const read = <T>(part: UnreadPart['part'], parse: (text: string) => T | null): T | null => {
    const text = textOf(part);
    const value = text === '' ? null : parse(text);
    if (value === null && text !== '') unread.push({ part, text });
    return value;
  };
  const readKind = (kind: PartyParameter) =>
    read(kind, (text) => readCount(kind, text)) ?? DEFAULT_PARTY[kind];
  const tuple = [textOf('country'), textOf('region'), textOf('resort')] as const;
  const date = read('date', parseCalendarDate);
  const nights = read('nights', parseNights);
  const url = {
    destination: tuple.some((name) => name !== '') ? tuple : null,
    from: textOf('from') || null,
    date,
    duration: nights?.[0] ?? null,
    party: {
      adults: readKind('adults'),
      children: readKind('children'),
      infants: readKind('infants'),
    },
    flexibility: {
      days: read('flex', (text) => FLEXIBLE_DAYS.find((days) => String(days) === text) ?? null) ?? 0,
      maxNights: nights?.[1] ?? null,
      places: parameters.getAll('or').map(parsePlace),
    },
    boardBasis: read('board', parseBoardBasis) ?? '',
    starRating: read('stars', parseStarRating) ?? '',
  };
  const stars = textOf('stars');
  if (url.starRating !== '' && Number(stars) !== Number(url.starRating)) {
    unread.push({ part: 'stars', text: stars });
  }
  const further = parseRefine((parameter) => parameters.getAll(parameter));
  if (further.unread !== null) unread.push({ part: 'filter', text: further.unread });
  return {
    ...url,
    refine: further.refine,
    sortBy: read('sort', parseSortBy) ?? 'default',
    perPage: read('size', parsePageSize) ?? DEFAULT_PAGE_SIZE,
    page: read('page', (text) => wholeNumber(text, 1, MAX_PAGE)) ?? 1,
    unread,
  };
}

/** '7', or '7-10' for a range. */
function parseNights(text: string): readonly [Duration, Duration | null] | null {
  const [least, most, ...others] = text.split('-').map(parseDuration);
  if (!least || most === null || others.length > 0 || (most && most <= least)) return null;
  return [least, most ?? null];
}

function parsePlace(text: string): DestinationTuple {
  const [country = '', region = '', resort = ''] = text.split(SEPARATOR).map((name) => name.trim());
  return [country, region, resort];
}

function parsePageSize(text: string): number | null {
  return PAGE_SIZES.find((size) => size === Number(text)) ?? null;
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number >= min && number <= max ? number : null;
}
