import * as v from 'valibot';
import { dayNumber } from '../../domain/calendar-date.ts';
import { filtersSchema, type SearchRequest } from './search-request.ts';

/**
 * The cost of questions, in units of about 0.05 ms of a processor on ten million packages. It is known before anything
 * runs, from the request alone, and follows how much of the store a search reads: departure days, lengths of stay, the
 * size of the place, and the airports.
 */

/** What one request may cost: a little more than the widest search that the contract allows. */
export const MAX_REQUEST_UNITS = 65_000;

/** A request up to this cost holds the main thread for about 5 ms at most, and is answered there. */
const MAX_MAIN_THREAD_UNITS = 60;

/** A request up to this cost takes about a quarter of a second at most. It never waits behind a larger one. */
const MAX_QUICK_UNITS = 3_000;

/** The lengths of stay that a search without one is assumed to cover. */
const USUAL_STAYS = 4;

/** Checks, the page's rows and the texts of its items. */
const ANY_SEARCH = 20;

/** For each day and length of stay. */
const PLACE_UNITS = { resort: 1, region: 1, country: 3, anywhere: 9 };

const FEW_AIRPORTS = 3;
const MANY_AIRPORTS_FACTOR = 3;

/** The model, the history and the comparables of one package. */
const ANALYSIS_UNITS = 600;

/** Days that `cheapestDates` searches. */
const CHEAPEST_DATES = 7;

/** The thread or queue that suits a cost. */
export type SizeClass = 'small' | 'quick' | 'wide';

export function sizeClass(units: number): SizeClass {
  if (units <= MAX_MAIN_THREAD_UNITS) return 'small';
  return units <= MAX_QUICK_UNITS ? 'quick' : 'wide';
}

/** The root fields of the schema that are resolved by the store. */
export type RootField =
  | 'searchPackages'
  | 'cheapestDates'
  | 'priceAnalysis'
  | 'priceHistory'
  | 'priceCalendar'
  | 'explore';

const withFilters = v.object({ filters: filtersSchema });

/** The cost of a root field with unchecked arguments. Arguments that will be refused cost next to nothing. */
export function fieldUnits(field: RootField, args: unknown): number {
  if (field === 'priceHistory') return ANALYSIS_UNITS;
  if (field === 'priceAnalysis') return ANALYSIS_UNITS * countOf(args);
  const parsed = v.safeParse(withFilters, args);
  if (!parsed.success) return ANY_SEARCH;
  const { filters } = parsed.output;
  return field === 'cheapestDates' ? CHEAPEST_DATES * searchUnits(filters) : searchUnits(filters);
}

/** The refusal of a request that costs too much; null if it does not. */
export function costRefusal(units: number): string | null {
  if (units <= MAX_REQUEST_UNITS) return null;
  const [asked, most] = [units, MAX_REQUEST_UNITS].map((count) => count.toLocaleString('en-GB'));
  return `This request asks for too much at once: it costs ${asked} units, and a request may cost ${most}. Ask for fewer days, for one length of stay, for one country, region or resort, or for fewer fields in a request.`;
}

function searchUnits(filters: SearchRequest['filters']): number {
  const { startDate, endDate, duration, departureAirports } = filters;
  const days = Math.max(1, dayNumber(endDate) - (duration ?? 1) - dayNumber(startDate) + 1);
  const stays = duration === null ? USUAL_STAYS : 1;
  const airports = departureAirports.length > FEW_AIRPORTS ? MANY_AIRPORTS_FACTOR : 1;
  return ANY_SEARCH + days * stays * PLACE_UNITS[placeLevel(filters)] * airports;
}

function placeLevel({ country, region, resort }: SearchRequest['filters']): keyof typeof PLACE_UNITS {
  if (resort.trim() !== '') return 'resort';
  if (region.trim() !== '') return 'region';
  return country.trim() === '' ? 'anywhere' : 'country';
}

function countOf(args: unknown): number {
  const keys = typeof args === 'object' && args !== null && 'itemKeys' in args ? args.itemKeys : null;
  return Array.isArray(keys) ? Math.max(1, keys.length) : 1;
}
