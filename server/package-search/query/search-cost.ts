import { dayNumber } from '../../../domain/calendar-date.ts';
import { monthOfDay } from '../../../domain/month.ts';
import type { Collapse } from './package-repository.ts';
import type { ParsedField, SearchRequest } from './search-request.ts';

/**
 * Costs in units of about 0.05 ms of a processor on the sample, estimated from the request alone before it
 * runs (docs/contracts/graphql.md).
 */

/** The limit of one request: about 100 ms. */
export const MAX_REQUEST_UNITS = 2_000;

/** Up to this many departure days are searched in the offers; longer windows in the price blocks. */
export const MAX_DAYS_OF_OFFERS = 3;

/** The most days with filters or ratings that blocks do not have: three either side of a day. */
export const MAX_DAYS_OF_REFINED = 7;

/**
 * Price blocks (airport, resort, stay and month) that one query may read. One of the sample's largest
 * airports has 13,300 in 18 months. A block takes up to 8 µs, or 40 µs with every package
 * (`SEARCH_COLLAPSE=none`).
 */
export const MAX_BLOCKS = { calendar: 14_000, search: 10_000, packages: 2_500 };

const ANY_SEARCH = 20;

/** For each item that a search may return: row and texts. */
const ITEM_UNITS = 0.5;

/** Items without extra cost. Further ones cost more, because the main thread writes all items. */
const ITEMS_OF_REQUEST = 100;
const FURTHER_ITEM_UNITS = 4;

/** Months of places per request: the main thread writes them. */
export const MAX_MONTHS = 5_000;

/** For each repeated row, such as the months of a place under another name. */
const ROW_UNITS = 0.04;

/** For each day and length of stay that is searched in the offers, from a few airports. */
const DAY_UNITS = { resort: 2, region: 2, country: 7, anywhere: 20 };
/** With further filters or facets, more of each package is read. */
const REFINED_FACTOR = 1.4;

const FEW_AIRPORTS = 3;
const MANY_AIRPORTS_FACTOR = 3;

/** For each price block, and for each look-up by month, stay and airport. */
const BLOCK_UNITS = 0.16;
const LOOKUP_UNITS = 0.24;

/** Resorts per airport and airports per resort, as in the sample. */
const RESORTS = { resort: 1, region: 8, country: 53, anywhere: 180 };
const AIRPORTS_OF_RESORT = 7;

/** The lengths of stay assumed for a search without one. */
const USUAL_STAYS = 4;

/** One package's model, history and comparables. */
const ANALYSIS_UNITS = 130;
const MAX_ANALYSES = 10;

/** The most days of history in an analysis, and in a price history of its own. */
const DAYS_OF_ANALYSIS = 30;
const DAYS_OF_HISTORY = 90;

/** For the whole schema. High, so that a request can ask for it only once. */
export const INTROSPECTION_UNITS = 1_200;

/** `cheapestDates` reads one row on each of seven days, which costs as much as three days of a search. */
const CHEAPEST_DATES = 3;
const DAYS_OF_CHEAPEST_DATES = 7;

/**
 * The cost of a root field, at most the limit of a request: the store refuses more. Invalid arguments cost next to
 * nothing, because they will be refused.
 */
export function fieldUnits({ root, parsed }: ParsedField, collapse: Collapse, hasFacets = false): number {
  if (root === 'priceHistory') return ANALYSIS_UNITS;
  if (parsed.kind === 'bad-input') return ANY_SEARCH;
  if (root === 'priceAnalysis') return ANALYSIS_UNITS * countOf(parsed.request);
  const ofRequest = (units: number) => Math.min(MAX_REQUEST_UNITS, Math.ceil(ANY_SEARCH + units));
  const { filters } = parsed.request;
  const days = departureDays(filters);
  if (root === 'cheapestDates') return ofRequest(CHEAPEST_DATES * offerUnits(filters, 1));
  if (root !== 'searchPackages') return ofRequest(blockUnits(filters, days));
  const { limit, refine, sortBy } = parsed.request;
  const isRefined = hasFacets || refine !== null;
  const daysOfOffers = isRefined || sortBy === 'GUEST_RATING_DESC' ? MAX_DAYS_OF_REFINED : MAX_DAYS_OF_OFFERS;
  const isInOffers = collapse === 'none' || days <= daysOfOffers;
  const reading = isInOffers ? offerUnits(filters, days) : blockUnits(filters, days);
  return ofRequest(limit * ITEM_UNITS + reading * (isRefined ? REFINED_FACTOR : 1));
}

/**
 * The extra cost of a field that the response repeats: its items or rows are written once for each name
 * that the field or an inner field has.
 */
export function repeatedUnits(field: ParsedField, times: number): number {
  return Math.ceil((times - 1) * (mostItems(field) * ITEM_UNITS + rowsOf(field) * ROW_UNITS));
}

/** The most rows of a field without items. */
function rowsOf({ root, parsed }: ParsedField): number {
  if (parsed.kind === 'bad-input') return 0;
  switch (root) {
    case 'searchPackages':
      return 0;
    case 'explore':
      return MAX_MONTHS;
    case 'priceCalendar':
      return departureDays(parsed.request.filters);
    case 'cheapestDates':
      return DAYS_OF_CHEAPEST_DATES;
    case 'priceAnalysis':
      return DAYS_OF_ANALYSIS * countOf(parsed.request);
    case 'priceHistory':
      return DAYS_OF_HISTORY;
  }
}

/** The items that a field may return. */
export function mostItems({ root, parsed }: ParsedField): number {
  return root === 'searchPackages' && parsed.kind === 'request' ? parsed.request.limit : 0;
}

/** The extra cost of many items in a request, in addition to the cost of each item. */
export function itemUnits(items: number): number {
  return Math.max(0, items - ITEMS_OF_REQUEST) * FURTHER_ITEM_UNITS;
}

/** The refusal of a request that costs too much, or null. */
export function costRefusal(units: number): string | null {
  if (units <= MAX_REQUEST_UNITS) return null;
  const [cost, most] = [units, MAX_REQUEST_UNITS].map((count) => count.toLocaleString('en-GB'));
  return `This request is too expensive: it costs ${cost} units, and the limit is ${most}. Request fewer days, one length of stay, one country, region or resort, or fewer fields.`;
}

type Filters = SearchRequest['filters'];

function offerUnits(filters: Filters, days: number): number {
  const airports = filters.departureAirports.length > FEW_AIRPORTS ? MANY_AIRPORTS_FACTOR : 1;
  return days * staysOf(filters) * ofPlaces(DAY_UNITS, filters) * airports;
}

function blockUnits(filters: Filters, days: number): number {
  const first = dayNumber(filters.startDate);
  const months = monthOfDay(first + days - 1) - monthOfDay(first) + 1;
  const airports = filters.departureAirports.length;
  const blocks = Math.min(airports, AIRPORTS_OF_RESORT) * ofPlaces(RESORTS, filters);
  return months * staysOf(filters) * (blocks * BLOCK_UNITS + airports * LOOKUP_UNITS);
}

/** The departure days possible for the shortest trip. */
export function departureDays({ startDate, endDate, duration, lastDeparture }: Filters): number {
  const last = Math.min(dayNumber(endDate) - (duration ?? 1), dayNumber(lastDeparture ?? endDate));
  return Math.max(1, last - dayNumber(startDate) + 1);
}

function staysOf({ duration, maxDuration }: Filters): number {
  const longest = maxDuration ?? duration ?? USUAL_STAYS;
  return Math.min(USUAL_STAYS, longest - (duration ?? 1) + 1);
}

/** The sum over the places, at most the value for anywhere. */
function ofPlaces(perLevel: typeof DAY_UNITS, filters: Filters): number {
  const places = filters.places.length > 0 ? filters.places : [filters];
  const sum = places.reduce((total, place) => total + perLevel[placeLevel(place)], 0);
  return Math.min(perLevel.anywhere, sum);
}

function placeLevel({ country, region, resort }: Filters['places'][number]): keyof typeof DAY_UNITS {
  if (resort.trim() !== '') return 'resort';
  if (region.trim() !== '') return 'region';
  return country.trim() === '' ? 'anywhere' : 'country';
}

/** How many packages to analyse. The field refuses more than `MAX_ANALYSES`. */
function countOf(args: unknown): number {
  const keys = typeof args === 'object' && args !== null && 'itemKeys' in args ? args.itemKeys : null;
  return Array.isArray(keys) ? Math.min(MAX_ANALYSES, Math.max(1, keys.length)) : 1;
}
