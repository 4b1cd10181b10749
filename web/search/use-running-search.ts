import { type Dispatch, useRef } from 'react';
import type { PageConfig } from '../config/page-config.ts';
import { UNREACHABLE_MESSAGE } from './failure-messages.ts';
import type { runSearch } from './run-search.ts';
import type { createSearchClient, SearchClient } from './search-client.ts';
import type { SearchAction } from './search-reducer.ts';
import type { SearchResults } from './search-results.ts';
import { type HolidaySearch, toSearchUrl } from './search-url.ts';

/** The code that runs searches. */
export interface SearchCode {
  createSearchClient: typeof createSearchClient;
  /** Falls back to kept responses. */
  keepingClient: (client: SearchClient) => SearchClient;
  runSearch: typeof runSearch;
}

export interface RunningSearchOptions {
  service: Pick<PageConfig, 'searchEndpoint' | 'searchApiKey' | 'brandCode' | 'facets' | 'priceHistory'>;
  /** Loads the code on demand. Rejects if that fails. */
  loadCode: () => Promise<SearchCode>;
  dispatch: Dispatch<SearchAction>;
}

export interface RunningSearch {
  /** Aborts the running search and starts this one. */
  start: (search: HolidaySearch, run: { loaded: SearchResults | null; inForm: boolean }) => void;
  /** Aborts the running search, if there is one. */
  stop: () => void;
  isRunning: (search: HolidaySearch) => boolean;
}

/** The one request that may be running. An aborted request stores nothing. */
export function useRunningSearch({ service, loadCode, dispatch }: RunningSearchOptions): RunningSearch {
  const running = useRef<{ url: string; abort: AbortController } | null>(null);

  async function run(
    search: HolidaySearch,
    signal: AbortSignal,
    { loaded, inForm }: { loaded: SearchResults | null; inForm: boolean },
  ): Promise<void> {
    dispatch({ type: 'SET_LOADING' });
    const code = await loadCode().catch(() => null);
    if (signal.aborted) return;
    if (code === null) return dispatch({ type: 'SET_ERROR', message: UNREACHABLE_MESSAGE, inForm });
    const client = code.keepingClient(code.createSearchClient(service));
    const { brandCode, facets, priceHistory } = service;
    await code.runSearch(search, {
      client,
      brandCode,
      hasFacets: facets,
      scorePrices: priceHistory
        ? async (packages) => (await import('./score-prices.ts')).scorePrices(service, packages, signal)
        : null,
      dispatch,
      signal,
      loaded,
      inForm,
    });
  }

  function stop(): void {
    running.current?.abort.abort();
    running.current = null;
  }

  return {
    stop,
    isRunning: (search) => running.current?.url === toSearchUrl(search),
    start(search, options) {
      stop();
      const started = { url: toSearchUrl(search), abort: new AbortController() };
      running.current = started;
      void run(search, started.abort.signal, options).finally(() => {
        if (running.current === started) running.current = null;
      });
    },
  };
}
