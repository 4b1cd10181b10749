import { type Dispatch, useCallback, useEffect } from 'react';
import { parseAirports } from '../../domain/airport.ts';
import { withOtherNames } from '../../domain/destination-index.ts';
import type { PageConfig } from '../config/page-config.ts';
import type { LoadState } from '../ui/load-state.ts';
import { readDestinations } from './read-destinations.ts';
import type { SearchAction } from './search-reducer.ts';
import type { SearchState } from './search-state.ts';

/** A list of fifty thousand places comes within this time on a slow phone, in milliseconds. */
const TIMEOUT_MS = 20_000;

const DESTINATIONS_FAILED = 'The destinations could not be loaded.';
const AIRPORTS_FAILED = 'The departure airports could not be loaded.';

/**
 * The two start-up actions (Section 4): loads destinations and departure airports once the configuration
 * says where they are. The function that it returns loads again what has failed.
 */
export function useLists(
  config: LoadState<PageConfig>,
  { destinations, airports }: SearchState,
  dispatch: Dispatch<SearchAction>,
): () => void {
  const locationsUrl = config.status === 'stored' ? config.value.locationsUrl : null;
  const airportsUrl = config.status === 'stored' ? config.value.departureAirportsUrl : null;

  const otherNames = config.status === 'stored' ? config.value.otherNames : null;

  const loadDestinations = useCallback(() => {
    if (locationsUrl === null || otherNames === null) return;
    const store = (list: SearchState['destinations']) => dispatch({ type: 'SET_DESTINATIONS', list });
    const load = async () => withOtherNames(await readDestinations(await fetchCsv(locationsUrl)), otherNames);
    void loadList(load, DESTINATIONS_FAILED, store);
  }, [locationsUrl, otherNames, dispatch]);

  const loadAirports = useCallback(() => {
    if (airportsUrl === null) return;
    const store = (list: SearchState['airports']) => dispatch({ type: 'SET_AIRPORTS', list });
    void loadList(() => fetchCsv(airportsUrl).then(parseAirports), AIRPORTS_FAILED, store);
  }, [airportsUrl, dispatch]);

  useEffect(loadDestinations, [loadDestinations]);
  useEffect(loadAirports, [loadAirports]);

  return () => {
    if (destinations.status === 'failed') loadDestinations();
    if (airports.status === 'failed') loadAirports();
  };
}

/** Stores a list's three states as they come (Section 4); the reason of a failure goes to the console. */
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

/** The text of a CSV list. Throws an Error where it cannot be had, or has not come in time. */
async function fetchCsv(url: string): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'text/csv, text/plain' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  // A host that answers every unknown address with its front page would otherwise pass for a list.
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new Error(`${url} answered with a page, not with a list`);
  }
  return response.text();
}
