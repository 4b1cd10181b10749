import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import * as v from 'valibot';
import { poundsToPence } from '../../domain/money.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { pause } from '../data/request.ts';
import type { DayPrices } from './price-month.ts';
import { DayPrice, fetchEach, type SearchService, serviceKey } from './search-service.ts';

export const TIMEOUT_MS = 20_000;

/** The pause before a request, so that paging through months requests only the last month. */
const PAUSE_MS = 120;

/** A field that has lowest prices by day. */
export const pricesByDay = (name: 'priceCalendar' | 'cheapestDates') => ({
  name,
  types: { filters: 'PackageSearchFilters!' },
  selection: '{ DepartureDate TotalPrice }',
  schema: v.array(DayPrice),
});

/** The prices for each item of `filters`. */
export function useDayPrices(
  service: SearchService,
  filters: readonly PackageSearchFilters[],
): UseQueryResult<readonly DayPrices[]> {
  return useQuery({
    queryKey: ['day-prices', ...serviceKey(service), filters],
    queryFn: async ({ signal }) => {
      await pause(PAUSE_MS, signal);
      return fetchDayPrices(service, filters, signal);
    },
    meta: { what: 'The prices by day' },
  });
}

/** Fetches the prices for each of the filters. Rejects if a request fails or is aborted. */
export async function fetchDayPrices(
  service: SearchService,
  filters: readonly PackageSearchFilters[],
  signal: AbortSignal,
): Promise<DayPrices[]> {
  const each = filters.map((these) => ({ filters: these }));
  const found = await fetchEach(service, pricesByDay('priceCalendar'), each, {
    signal,
    timeoutMs: TIMEOUT_MS,
  });
  return found.map(
    (prices) =>
      new Map(prices.map(({ DepartureDate, TotalPrice }) => [DepartureDate, poundsToPence(TotalPrice)])),
  );
}
