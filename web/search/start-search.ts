import { resultsCode } from '../results/results-code.ts';
import { UNREACHABLE_MESSAGE } from './failure-messages.ts';
import type { SearchRun } from './run-search.ts';
import type { HolidaySearch } from './search-address.ts';

/** A run, with the service to ask in place of a client of it. */
export interface SearchStart extends Omit<SearchRun, 'client'> {
  service: { searchEndpoint: string; searchApiKey: string };
}

/** Shows at once that a search is on its way, sees to it that its code is here, and runs it. */
export async function startSearch(search: HolidaySearch, start: SearchStart): Promise<void> {
  const { service, ...run } = start;
  run.dispatch({ type: 'SET_LOADING' });
  const code = await resultsCode.load().catch(() => null);
  if (run.signal.aborted) return;
  if (code === null) {
    return run.dispatch({ type: 'SET_ERROR', message: UNREACHABLE_MESSAGE, inForm: run.inForm });
  }
  await code.runSearch(search, { ...run, client: code.createSearchClient(service) });
}
