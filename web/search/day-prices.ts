import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import * as v from 'valibot';
import { poundsToPence } from '../../domain/money.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { pause } from '../data/request.ts';
import type { DayPrices } from './price-month.ts';
import { DayPrice, fetchData, type SearchService, serviceKey } from './search-service.ts';

const TIMEOUT_MS = 20_000;

/** The pause before a request, so that paging through months requests only the last month. */
const PAUSE_MS = 120;

const Data = v.record(v.string(), v.array(DayPrice));

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

/** Fetches the prices for each of the filters in one request. Rejects if the request fails or is aborted. */
export async function fetchDayPrices(
  service: SearchService,
  filters: readonly PackageSearchFilters[],
  signal: AbortSignal,
): Promise<DayPrices[]> {
  if (filters.length === 0) return [];
  const variables = Object.fromEntries(filters.map((each, nth) => [`filters${nth}`, each]));
  const query = { query: queryOf(filters.length), variables, signal, timeoutMs: TIMEOUT_MS };
  const data = await fetchData(service, query, Data);
  return filters.map((_, nth) => {
    const prices = data[`prices${nth}`];
    if (prices === undefined) throw new Error(`${service.searchEndpoint} responded without prices`);
    return new Map(prices.map(({ DepartureDate, TotalPrice }) => [DepartureDate, poundsToPence(TotalPrice)]));
  });
}

/** A query with a field for each of the filters. */
function queryOf(count: number): string {
  const each = Array.from({ length: count }, (_, nth) => nth);
  const variables = each.map((nth) => `$filters${nth}: PackageSearchFilters!`).join(', ');
  const fields = each.map(
    (nth) => `  prices${nth}: priceCalendar(filters: $filters${nth}) { DepartureDate TotalPrice }`,
  );
  return `query priceCalendar(${variables}) {\n${fields.join('\n')}\n}`;
}
