import * as v from 'valibot';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { DayPrice, fetchData, type SearchService } from './search-service.ts';

/** The lowest price of a departure day, in pounds for the whole party. */
export interface CheapestDate {
  date: CalendarDate;
  pounds: number;
}

const TIMEOUT_MS = 20_000;

const QUERY = `query cheapestDates($filters: PackageSearchFilters!) {
  cheapestDates(filters: $filters) {
    DepartureDate
    TotalPrice
  }
}`;

const Data = v.object({ cheapestDates: v.array(DayPrice) });

/** Fetches the cheapest prices of the days around a search. Rejects if the request fails. */
export async function fetchCheapestDates(
  service: SearchService,
  filters: PackageSearchFilters,
  signal: AbortSignal,
): Promise<CheapestDate[]> {
  const query = { query: QUERY, variables: { filters }, signal, timeoutMs: TIMEOUT_MS };
  const { cheapestDates } = await fetchData(service, query, Data);
  return cheapestDates.map(({ DepartureDate, TotalPrice }) => ({ date: DepartureDate, pounds: TotalPrice }));
}
