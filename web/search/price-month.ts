import { addDays, addMonths, type CalendarDate, daysBetween } from '../../domain/calendar-date.ts';
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
 * or airport. `endDate` is the day on which the last departure returns.
 */
export function monthFilters(
  trip: Omit<SearchParameters, 'date'>,
  month: Month,
  { earliest, latest }: { earliest: CalendarDate; latest: CalendarDate },
  brand: string,
): PackageSearchFilters | null {
  const days = daysOfMonth(month).filter((day) => earliest <= day && day <= latest);
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return null;
  const flexibility = { ...NO_FLEXIBILITY, places: trip.flexibility?.places ?? [] };
  const filters = buildSearchFilters({ ...trip, flexibility, date: first }, brand);
  return filters && { ...filters, endDate: addDays(last, filters.duration) };
}

/** The lowest price, compared to the penny, and its days in order; null without prices. */
export function cheapestOf(prices: DayPrices): { price: Pence; days: CalendarDate[] } | null {
  if (prices.size === 0) return null;
  const price = Math.min(...prices.values());
  const days = [...prices].flatMap(([day, each]) => (each === price ? [day] : []));
  return { price, days: days.sort() };
}
