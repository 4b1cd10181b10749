import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type Dispatch, useRef } from 'react';
import type { PageConfig } from '../config/page-config.ts';
import { offlineStore } from '../data/offline-store.ts';
import { CURRENT_MS } from '../data/query-client.ts';
import { UNREACHABLE_MESSAGE } from '../data/request.ts';
import type { runSearch } from './run-search.ts';
import type { scorePrices } from './score-prices.ts';
import type { createSearchClient } from './search-client.ts';
import type { SearchAction } from './search-reducer.ts';
import { type SearchResults, searchKey, tripKey } from './search-results.ts';
import { serviceKey } from './search-service.ts';
import { type HolidaySearch, toSearchUrl } from './search-url.ts';

/** The code that runs searches. */
export interface SearchCode {
  createSearchClient: typeof createSearchClient;
  runSearch: typeof runSearch;
  scorePrices: typeof scorePrices;
}

export interface RunningSearchOptions {
  service: Pick<PageConfig, 'searchEndpoint' | 'searchApiKey' | 'brandCode' | 'facets' | 'priceHistory'>;
  /** Loads the code on demand. Rejects if that fails. */
  loadCode: () => Promise<SearchCode>;
  dispatch: Dispatch<SearchAction>;
}

export interface RunningSearch {
  /** Aborts the running search and starts this one, from the loaded results or without. */
  start: (search: HolidaySearch, run: { loaded: SearchResults | null; isNew: boolean }) => void;
  /** Aborts the running search, if there is one. */
  stop: () => void;
  isRunning: (search: HolidaySearch) => boolean;
  /** The current results of the search's packages, in any order; null if there are none. */
  loadedFor: (search: HolidaySearch) => SearchResults | null;
}

const keptResults = offlineStore<SearchResults>('skylark-responses');

/** The one search that may be running. It is a query of the packages that the URL names, in any order. */
export function useRunningSearch({ service, loadCode, dispatch }: RunningSearchOptions): RunningSearch {
  const queries = useQueryClient();
  const running = useRef<{ url: string; queryKey: QueryKey } | null>(null);
  const { brandCode, facets, priceHistory } = service;

  // Without facets, the page applies the further filters to the same packages.
  const keyOf = (search: HolidaySearch): QueryKey => [
    'search',
    ...serviceKey(service),
    brandCode,
    facets ? searchKey(search) : tripKey(search),
  ];

  async function run(
    search: HolidaySearch,
    loaded: SearchResults | null,
    signal: AbortSignal,
  ): Promise<SearchResults> {
    const code = await loadCode().catch((cause: unknown) => {
      throw new Error(UNREACHABLE_MESSAGE, { cause });
    });
    return code.runSearch(search, {
      client: code.createSearchClient(service),
      brandCode,
      hasFacets: facets,
      scorePrices: priceHistory ? (packages) => code.scorePrices(service, packages, signal) : null,
      signal,
      loaded,
    });
  }

  function stop(): void {
    const stopped = running.current;
    running.current = null;
    if (stopped !== null) void queries.cancelQueries({ queryKey: stopped.queryKey, exact: true });
  }

  return {
    stop,
    isRunning: (search) => running.current?.url === toSearchUrl(search),
    loadedFor(search) {
      const query = queries.getQueryCache().find<SearchResults>({ queryKey: keyOf(search) });
      const data = query?.isStaleByTime(CURRENT_MS) === false ? query.state.data : undefined;
      return data?.keptAt === undefined ? (data ?? null) : null;
    },
    start(search, { loaded, isNew }) {
      stop();
      const started = { url: toSearchUrl(search), queryKey: keyOf(search) };
      running.current = started;
      dispatch({ type: 'SET_LOADING', isNew });
      const isCurrent = () => running.current === started;
      queries
        .fetchQuery({
          queryKey: started.queryKey,
          staleTime: 0,
          queryFn: ({ signal }) => run(search, loaded, signal),
          persister: keptResults,
        })
        .then(
          (results) => isCurrent() && dispatch({ type: 'SET_RESULTS', results: asPage(results) }),
          (error: unknown) =>
            isCurrent() && dispatch({ type: 'SET_ERROR', message: messageOf(error), inForm: isNew }),
        )
        .finally(() => {
          if (isCurrent()) running.current = null;
        });
    },
  };
}

/** Kept results have no further pages, and JSON does not keep their scores. */
function asPage(found: SearchResults): SearchResults {
  return found.keptAt === undefined ? found : { ...found, scores: null, hasMoreData: false, nextToken: null };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
