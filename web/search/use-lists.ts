import { useQuery } from '@tanstack/react-query';
import { parseAirports } from '../../domain/airport.ts';
import { withOtherNames } from '../../domain/destination-index.ts';
import type { PageConfig } from '../config/page-config.ts';
import { RequestError, request } from '../data/request.ts';
import { useLoadState } from '../data/use-load-state.ts';
import { readDestinations } from './read-destinations.ts';
import type { Lists } from './search-state.ts';

/** Enough for 50,000 places on a slow phone. */
const TIMEOUT_MS = 20_000;

const CSV = { headers: { accept: 'text/csv, text/plain' } };

/** Loads destinations and departure airports (Section 4), and reloads failed lists. */
export function useLists(settings: PageConfig | null): Lists & { retry: () => void } {
  const { locationsUrl = '', otherNames = {}, departureAirportsUrl = '' } = settings ?? {};
  const enabled = settings !== null;
  const options = { enabled, staleTime: Infinity, gcTime: Infinity };
  const destinations = useQuery({
    ...options,
    queryKey: ['destinations', locationsUrl, otherNames],
    queryFn: async ({ signal }) =>
      withOtherNames(await readDestinations(await fetchCsv(locationsUrl, signal)), otherNames),
    meta: { what: 'The destinations', isNeeded: true },
  });
  const airports = useQuery({
    ...options,
    queryKey: ['airports', departureAirportsUrl],
    queryFn: async ({ signal }) => parseAirports(await fetchCsv(departureAirportsUrl, signal)),
    meta: { what: 'The departure airports', isNeeded: true },
  });
  return {
    destinations: useLoadState(destinations, 'We couldn’t load the destinations.'),
    airports: useLoadState(airports, 'We couldn’t load the departure airports.'),
    retry() {
      for (const list of [destinations, airports]) if (list.isError) void list.refetch();
    },
  };
}

/** The text of a CSV list. Throws a RequestError if it cannot be fetched in time. */
async function fetchCsv(url: string, signal: AbortSignal): Promise<string> {
  const response = await request(url, CSV, { signal, timeoutMs: TIMEOUT_MS });
  if (!response.ok) throw new RequestError(`${url} answered ${response.status}`, response.status);
  return response.text();
}
