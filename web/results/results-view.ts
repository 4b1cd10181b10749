import { hasFilters } from '../../domain/result-filters.ts';
import { type Page, pageOf, sortPackages } from '../../domain/sort-and-page.ts';
import { preventsSearch } from '../search/open-url.ts';
import { canLoadMore, whatIsNeeded } from '../search/search-results.ts';
import { currentSearch, type SearchState } from '../search/search-state.ts';

/** The states of the results screen (Section 2). */
export type ResultsView =
  /** `page`: earlier results, which stay meanwhile. */
  | { kind: 'loading'; page: Page | null; hasMore: boolean }
  /** `isQuiet`: plain text, because the form shows the red message. */
  | { kind: 'failed'; message: string; isQuiet: boolean; page: Page | null; hasMore: boolean }
  /** The URL has an invalid part that prevents the search. */
  | { kind: 'unread' }
  | { kind: 'stopped' }
  | { kind: 'empty'; page: Page }
  /** `hasMore`: paging past the loaded packages fetches more. */
  | { kind: 'loaded'; page: Page; hasMore: boolean };

/** The shown page of loaded packages, at most the last page. */
export function visiblePage({ results, shown }: Pick<SearchState, 'results' | 'shown'>): Page {
  const { sortBy, currentPage, perPage } = shown;
  return pageOf(sortPackages(results?.packages ?? [], sortBy, results?.scores ?? null), currentPage, perPage);
}

/** Where the filters stand beside the results. In ems, so that large text has the sheet instead. */
export const HAS_RAIL = '(min-width: 75em)';

/** Whether order and filters can be chosen. The controls stay while results load, and if filters leave none. */
export function hasBar({ kind }: ResultsView, state: SearchState): boolean {
  if (kind === 'loading' || kind === 'failed') return state.results !== null;
  return kind === 'loaded' || (kind === 'empty' && hasFilters(state));
}

/** `page` is `visiblePage` of the same state, passed in so that the caller can memoize it. */
export function resultsView(state: SearchState, page: Page): ResultsView {
  const hasMore = state.results !== null && canLoadMore(state.results);
  const earlier = { page: page.totalResults > 0 ? page : null, hasMore };
  if (state.loading) return { kind: 'loading', ...earlier };
  if (state.error !== null)
    return { kind: 'failed', message: state.error, isQuiet: state.formFailed, ...earlier };
  if (preventsSearch(state.unread)) return { kind: 'unread' };
  if (whatIsNeeded(state.results, currentSearch(state)) !== 'nothing') return { kind: 'stopped' };
  if (page.totalResults === 0) return { kind: 'empty', page };
  return { kind: 'loaded', page, hasMore };
}
