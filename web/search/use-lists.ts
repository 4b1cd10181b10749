import { type Dispatch, useCallback, useEffect } from 'react';
import { parseAirports } from '../../domain/airport.ts';
import { withOtherNames } from '../../domain/destination-index.ts';
import type { PageConfig } from '../config/page-config.ts';
import type { LoadState } from '../ui/load-state.ts';
import { readDestinations } from './read-destinations.ts';
import type { SearchAction } from './search-reducer.ts';
import type { SearchState } from './search-state.ts';

/** Enough for 50,000 places on a slow phone. */
const TIMEOUT_MS = 20_000;

const DESTINATIONS_FAILED = 'We couldn’t load the destinations.';
const AIRPORTS_FAILED = 'We couldn’t load the departure airports.';

/** Loads destinations and departure airports (Section 4). Returns a function that reloads failed lists. */
export function useLists(
  settings: PageConfig | null,
  { destinations, airports }: SearchState,
  dispatch: Dispatch<SearchAction>,
): () => void {
  const loadDestinations = useCallback(() => {
    if (settings === null) return;
    const { locationsUrl, otherNames } = settings;
    const store = (list: SearchState['destinations']) => dispatch({ type: 'SET_DESTINATIONS', list });
    const load = async () => withOtherNames(await readDestinations(await fetchCsv(locationsUrl)), otherNames);
    void loadList(load, DESTINATIONS_FAILED, store);
  }, [settings, dispatch]);

  const loadAirports = useCallback(() => {
    if (settings === null) return;
    const { departureAirportsUrl } = settings;
    const store = (list: SearchState['airports']) => dispatch({ type: 'SET_AIRPORTS', list });
    void loadList(() => fetchCsv(departureAirportsUrl).then(parseAirports), AIRPORTS_FAILED, store);
  }, [settings, dispatch]);

  useEffect(loadDestinations, [loadDestinations]);
  useEffect(loadAirports, [loadAirports]);

  return () => {
    if (destinations.status === 'failed') loadDestinations();
    if (airports.status === 'failed') loadAirports();
  };
}

/** Stores the state of a list as it loads (Section 4), and logs failures. */
async function loadList<T>(
  load: () => Promise<T>,
  failedMessage: string,
  store: (list: LoadState<T>) => void,
): Promise<void> {
  store({ status: 'pending' });
  try {
    store({ status: 'stored', value: await load() });
  } catch (error) {
    console.error(failedMessage, error);
    store({ status: 'failed', message: failedMessage });
  }
}

/** The text of a CSV list. Throws an Error if it cannot be fetched in time. */
async function fetchCsv(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'text/csv, text/plain' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  // Some hosts serve their front page for unknown URLs.
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new Error(`${url} returned an HTML page instead of a list`);
  }
  return response.text();
}
