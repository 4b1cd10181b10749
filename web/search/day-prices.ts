import * as v from 'valibot';
import { poundsToPence } from '../../domain/money.ts';
import type { PackageSearchFilters } from '../../domain/search-filters.ts';
import { type Fetched, useFetched } from '../ui/use-fetched.ts';
import type { DayPrices } from './price-month.ts';
import { DayPrice, fetchData, type SearchService } from './search-service.ts';

const TIMEOUT_MS = 20_000;

/** The pause before a request, so that paging through months requests only the last month. */
const PAUSE_MS = 120;

/** Prices change with imports. */
const CACHED_MS = 5 * 60_000;
const MAX_CACHED = 100;

const cache = new Map<string, { prices: DayPrices; until: number }>();

const Data = v.record(v.string(), v.array(DayPrice));

/** The prices for each item of `filters`. */
export function useDayPrices(
  service: SearchService,
  filters: readonly PackageSearchFilters[],
): Fetched<readonly DayPrices[]> {
  const key = JSON.stringify([service.searchEndpoint, service.searchApiKey, filters]);
  return useFetched('The prices by day', key, (signal) => fetchDayPrices(service, filters, signal));
}

/** Fetches the prices for each of the filters in one request. Rejects if the request fails or is aborted. */
export async function fetchDayPrices(
  service: SearchService,
  filters: readonly PackageSearchFilters[],
  signal: AbortSignal,
): Promise<DayPrices[]> {
  const requests = filters.map((each) => ({
    filters: each,
    key: JSON.stringify([service.searchEndpoint, service.searchApiKey, each]),
  }));
  const found = new Map(requests.map(({ key }) => [key, cachedPrices(key)]));
  const missing = requests.filter(({ key }) => found.get(key) === null);
  if (missing.length > 0) {
    await pause(PAUSE_MS, signal);
    const fetched = await fetchMissing(service, missing, signal);
    for (const [nth, { key }] of missing.entries()) {
      const prices = fetched[nth] ?? new Map();
      found.set(key, prices);
      store(key, prices);
    }
  }
  return requests.map(({ key }) => found.get(key) ?? new Map());
}

function cachedPrices(key: string): DayPrices | null {
  const entry = cache.get(key);
  if (entry !== undefined && entry.until > performance.now()) return entry.prices;
  cache.delete(key);
  return null;
}

function store(key: string, prices: DayPrices): void {
  cache.set(key, { prices, until: performance.now() + CACHED_MS });
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
}

async function fetchMissing(
  service: SearchService,
  requests: readonly { filters: PackageSearchFilters }[],
  signal: AbortSignal,
): Promise<DayPrices[]> {
  const variables = Object.fromEntries(requests.map(({ filters }, nth) => [`filters${nth}`, filters]));
  const query = { query: queryOf(requests.length), variables, signal, timeoutMs: TIMEOUT_MS };
  const data = await fetchData(service, query, Data);
  return requests.map((_, nth) => {
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

/** Rejects with the signal's reason if it is aborted before the time is over. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
