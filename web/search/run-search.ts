import { type PackageHoliday, toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { toPackageSort } from '../../domain/sort-by.ts';
import { type HeldResults, needsMorePages, searchKey, tripKey } from './held-results.ts';
import type { HolidaySearch } from './search-address.ts';
import type { SearchAnswer, SearchClient } from './search-client.ts';
import type { SearchAction } from './search-reducer.ts';

/** The maximum number of items in one request (Section 7). */
const LIMIT = 100;

export interface SearchRun {
  client: SearchClient;
  brandCode: string;
  dispatch: (action: SearchAction) => void;
  /** Once aborted, the run stores nothing. */
  signal: AbortSignal;
  /** The results to append the answer to; null for a new search. */
  held: HeldResults | null;
  /** Whether a failure replaces the form: for a search, not for another order or page. */
  inForm: boolean;
}

/**
 * Runs one search: ask, send, parse, store. It sends nothing if a part of the search is missing (Section 5), and follows
 * the server's tokens until it has the requested page or there are no more items.
 */
export async function runSearch(search: HolidaySearch, run: SearchRun): Promise<void> {
  const { client, brandCode, dispatch, signal, held, inForm } = run;
  let results: HeldResults = held ?? {
    ...NO_RESULTS,
    key: searchKey(search),
    trip: tripKey(search),
    sortBy: search.sortBy,
  };
  const filters = buildSearchFilters(search, brandCode);
  if (filters === null) return dispatch({ type: 'SET_RESULTS', results });
  const sortBy = toPackageSort(results.sortBy);

  try {
    do {
      const { nextToken } = results;
      const answer = await client({ filters, sortBy, limit: LIMIT, nextToken }, signal);
      results = addAnswer(results, answer, brandCode);
    } while (needsMorePages(results, search));
    if (!signal.aborted) dispatch({ type: 'SET_RESULTS', results });
  } catch (error) {
    if (signal.aborted) return;
    dispatch({ type: 'SET_ERROR', message: messageOf(error), inForm });
  }
}

const NO_RESULTS = { packages: [], hasMoreData: false, count: null, nextToken: null };

function addAnswer(results: HeldResults, answer: SearchAnswer, brandCode: string): HeldResults {
  const known = new Set(results.packages.map(({ ItemKey }) => ItemKey));
  const added = parseItems(answer.items, brandCode).filter(({ ItemKey }) => !known.has(ItemKey));
  // Stops at a server that announces more data and sends nothing new.
  const goesOn = answer.hasMoreData && added.length > 0;
  return {
    ...results,
    packages: [...results.packages, ...added],
    hasMoreData: answer.hasMoreData,
    count: answer.count ?? results.count,
    nextToken: goesOn ? answer.nextToken : null,
  };
}

/** The readable items. Unreadable items are skipped and counted in a warning. */
function parseItems(items: readonly unknown[], brandCode: string): PackageHoliday[] {
  const mapping = { mappedAt: new Date().toISOString(), brandCode };
  const parsed = items.map(parsePackageSearchItem);
  const refused = parsed.flatMap((each) => (each.kind === 'refused' ? [each.reason] : []));
  if (refused.length > 0) {
    console.warn(
      `${refused.length} of ${items.length} packages could not be read and are left out.`,
      refused,
    );
  }
  return parsed.flatMap((each) => (each.kind === 'item' ? [toPackageHoliday(each.item, mapping)] : []));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
