import {
  addDays,
  addMonths,
  type CalendarDate,
  type DateWindow,
  daysBetween,
} from '../../domain/calendar-date.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import type { Pence } from '../../domain/money.ts';
import {
  buildSearchFilters,
  type PackageSearchFilters,
  type SearchParameters,
} from '../../domain/search-filters.ts';

/** A calendar month, `YYYY-MM`. */
export type Month = string;

/** The lowest price of each departure day, for the whole party. Days without a package are absent. */
export type DayPrices = ReadonlyMap<CalendarDate, Pence>;

export function daysOfMonth(month: Month): CalendarDate[] {
  const first = `${month}-01`;
  return Array.from({ length: daysBetween(first, addMonths(first, 1)) }, (_, nth) => addDays(first, nth));
}

/**
 * The filters for all departures in the month and the window. Null if there are none, or if the trip has no destination
 * or airport.
 */
export function monthFilters(
  trip: Omit<SearchParameters, 'date'>,
  month: Month,
  window: DateWindow,
  brand: string,
): PackageSearchFilters | null {
  const days = daysOfMonth(month).filter((day) => window.earliest <= day && day <= window.latest);
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return null;
  const flexibility = { ...NO_FLEXIBILITY, places: trip.flexibility?.places ?? [] };
  return spanFilters({ ...trip, flexibility }, { earliest: first, latest: last }, brand);
}

/** The filters for all departures in a window. Null if the trip has no destination or airport. */
export function spanFilters(
  trip: Omit<SearchParameters, 'date'>,
  { earliest, latest }: DateWindow,
  brand: string,
): PackageSearchFilters | null {
  const flexibility = { ...(trip.flexibility ?? NO_FLEXIBILITY), days: 0 };
  const filters = buildSearchFilters({ ...trip, flexibility, date: earliest }, brand);
  if (filters === null) return null;
  const { duration, maxDuration } = filters;
  return {
    ...filters,
    endDate: addDays(latest, maxDuration ?? duration),
    ...(maxDuration !== undefined && { lastDeparture: latest }),
  };
}

/** The lowest price, compared to the penny, and its days in order; null without prices. */
export function cheapestOf(prices: DayPrices): { price: Pence; days: CalendarDate[] } | null {
  if (prices.size === 0) return null;
  const price = Math.min(...prices.values());
  const days = [...prices].flatMap(([day, each]) => (each === price ? [day] : []));
  return { price, days: days.sort() };
}
