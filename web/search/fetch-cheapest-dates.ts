import * as v from 'valibot';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { DayPrice, fetchData, type SearchService } from './search-service.ts';

const TIMEOUT_MS = 20_000;

const QUERY = `query cheapestDates($filters: PackageSearchFilters!) {
  cheapestDates(filters: $filters) {
    DepartureDate
    TotalPrice
  }
}`;

const Data = v.object({ cheapestDates: v.array(DayPrice) });

/** Fetches the lowest price of each day around a search, for the whole party. Rejects if the request fails. */
export async function fetchCheapestDates(
  service: SearchService,
  filters: PackageSearchFilters,
  signal: AbortSignal,
): Promise<v.InferOutput<typeof DayPrice>[]> {
  const query = { query: QUERY, variables: { filters }, signal, timeoutMs: TIMEOUT_MS };
  return (await fetchData(service, query, Data)).cheapestDates;
}
