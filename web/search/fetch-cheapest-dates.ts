import * as v from 'valibot';
import { type CalendarDate, parseCalendarDate } from '../../domain/calendar-date.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { withTimeout } from './with-timeout.ts';

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

const Answer = v.object({
  data: v.object({
    cheapestDates: v.array(
      v.object({
        DepartureDate: v.pipe(
          v.string(),
          v.check((text) => parseCalendarDate(text) !== null),
        ),
        TotalPrice: v.pipe(v.number(), v.finite(), v.minValue(0)),
      }),
    ),
  }),
});

/** Fetches the cheapest prices of the days around a search. Rejects if the request fails. */
export async function fetchCheapestDates(
  { searchEndpoint, searchApiKey }: { searchEndpoint: string; searchApiKey: string },
  filters: PackageSearchFilters,
  signal: AbortSignal,
  send: typeof fetch = fetch,
): Promise<CheapestDate[]> {
  const response = await send(searchEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': searchApiKey },
    body: JSON.stringify({ query: QUERY, variables: { filters } }),
    signal: withTimeout(signal, TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${searchEndpoint} answered ${response.status}`);
  const { data } = v.parse(Answer, await response.json());
  return data.cheapestDates.map(({ DepartureDate, TotalPrice }) => ({
    date: DepartureDate,
    pounds: TotalPrice,
  }));
}
