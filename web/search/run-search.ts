import { type PackageHoliday, toPackageHoliday } from '../../domain/package-holiday.ts';
import { parsePackageSearchItem } from '../../domain/package-search-item.ts';
import { buildSearchFilters } from '../../domain/search-filters.ts';
import { toPackageSort } from '../../domain/sort-by.ts';
import type { SearchClient, SearchResponse } from './search-client.ts';
import type { SearchAction } from './search-reducer.ts';
import { needsMorePages, type SearchResults, searchKey, tripKey } from './search-results.ts';
import type { HolidaySearch } from './search-url.ts';

/** The maximum number of items in one request (Section 7). */
const LIMIT = 100;

export interface SearchRun {
  client: SearchClient;
  brandCode: string;
  dispatch: (action: SearchAction) => void;
  /** Once aborted, the run stores nothing. */
  signal: AbortSignal;
  /** The results to append to; null for a new search. */
  loaded: SearchResults | null;
  /** Whether a failure replaces the form: true for a new search, false for another order or page. */
  inForm: boolean;
}

/**
 * Runs one search and stores its results. Without a required part it sends no request (Section 5). It follows the
 * server's tokens until it has the requested page or there are no more items.
 */
export async function runSearch(search: HolidaySearch, run: SearchRun): Promise<void> {
  const { client, brandCode, dispatch, signal, loaded, inForm } = run;
  let results: SearchResults = loaded ?? {
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
      const response = await client({ filters, sortBy, limit: LIMIT, nextToken }, signal);
      results = addResponse(results, response, brandCode);
    } while (needsMorePages(results, search));
    if (!signal.aborted) dispatch({ type: 'SET_RESULTS', results });
  } catch (error) {
    if (signal.aborted) return;
    dispatch({ type: 'SET_ERROR', message: messageOf(error), inForm });
  }
}

const NO_RESULTS = { packages: [], hasMoreData: false, count: null, nextToken: null };

function addResponse(results: SearchResults, response: SearchResponse, brandCode: string): SearchResults {
  const known = new Set(results.packages.map(({ ItemKey }) => ItemKey));
  const added = parseItems(response.items, brandCode).filter(({ ItemKey }) => !known.has(ItemKey));
  // Stops if a server announces more data but sends nothing new.
  const hasMore = response.hasMoreData && added.length > 0;
  return {
    ...results,
    packages: [...results.packages, ...added],
    hasMoreData: response.hasMoreData,
    count: response.count ?? results.count,
    nextToken: hasMore ? response.nextToken : null,
  };
}

/** The readable items. Unreadable items are skipped and counted in a warning. */
function parseItems(items: readonly unknown[], brandCode: string): PackageHoliday[] {
  const mapping = { mappedAt: new Date().toISOString(), brandCode };
  const parsed = items.map(parsePackageSearchItem);
  const invalid = parsed.flatMap((each) => (each.kind === 'refused' ? [each.reason] : []));
  if (invalid.length > 0) {
    console.warn(`${invalid.length} of ${items.length} packages are unreadable and left out.`, invalid);
  }
  return parsed.flatMap((each) => (each.kind === 'item' ? [toPackageHoliday(each.item, mapping)] : []));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
