import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { type Fetched, useFetched } from '../ui/use-fetched.ts';
import { fetchDayPrices } from './fetch-day-prices.ts';
import type { DayPrices } from './price-month.ts';
import type { SearchService } from './search-service.ts';

/** The prices of each of the filters. */
export function useDayPrices(
  service: SearchService,
  filters: readonly PackageSearchFilters[],
): Fetched<readonly DayPrices[]> {
  const key = JSON.stringify([service.searchEndpoint, service.searchApiKey, filters]);
  return useFetched('The prices by day', key, (signal) => fetchDayPrices(service, filters, signal));
}
