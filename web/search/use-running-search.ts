import { type Dispatch, useRef } from 'react';
import { UNREACHABLE_MESSAGE } from './failure-messages.ts';
import type { HeldResults } from './held-results.ts';
import type { runSearch } from './run-search.ts';
import { type HolidaySearch, toSearchAddress } from './search-address.ts';
import type { createSearchClient } from './search-client.ts';
import type { SearchAction } from './search-reducer.ts';

/** The code that asks the server and reads its answer. */
export interface SearchCode {
  createSearchClient: typeof createSearchClient;
  runSearch: typeof runSearch;
}

export interface RunningSearchOptions {
  service: { searchEndpoint: string; searchApiKey: string; brandCode: string };
  /** Fetches the code that the first paint does without. Rejects if it cannot be fetched. */
  loadCode: () => Promise<SearchCode>;
  dispatch: Dispatch<SearchAction>;
}

export interface RunningSearch {
  /** Aborts the running search and starts this one. The state is 'loading' at once. */
  start: (search: HolidaySearch, run: { held: HeldResults | null; inForm: boolean }) => void;
  /** Aborts the running search, if there is one. */
  stop: () => void;
  isRunning: (search: HolidaySearch) => boolean;
}

/** The one request that may be running. An aborted request stores nothing. */
export function useRunningSearch({ service, loadCode, dispatch }: RunningSearchOptions): RunningSearch {
  const running = useRef<{ address: string; abort: AbortController } | null>(null);

  async function run(
    search: HolidaySearch,
    signal: AbortSignal,
    { held, inForm }: { held: HeldResults | null; inForm: boolean },
  ): Promise<void> {
    dispatch({ type: 'SET_LOADING' });
    const code = await loadCode().catch(() => null);
    if (signal.aborted) return;
    if (code === null) return dispatch({ type: 'SET_ERROR', message: UNREACHABLE_MESSAGE, inForm });
    const client = code.createSearchClient(service);
    await code.runSearch(search, { client, brandCode: service.brandCode, dispatch, signal, held, inForm });
  }

  function stop(): void {
    running.current?.abort.abort();
    running.current = null;
  }

  return {
    stop,
    isRunning: (search) => running.current?.address === toSearchAddress(search),
    start(search, options) {
      stop();
      const started = { address: toSearchAddress(search), abort: new AbortController() };
      running.current = started;
      void run(search, started.abort.signal, options).finally(() => {
        if (running.current === started) running.current = null;
      });
    },
  };
}
