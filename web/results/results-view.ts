import { type Page, pageOf, sortPackages } from '../../domain/sort-and-page.ts';
import { canLoadMore, whatIsNeeded } from '../search/held-results.ts';
import { preventsSearch } from '../search/open-address.ts';
import { currentSearch, type SearchState } from '../search/search-state.ts';

/** The states of the results screen (Section 2). */
export type ResultsView =
  | { kind: 'loading' }
  /** `isQuiet`: the form's failure message is the prominent one (ruling 5). */
  | { kind: 'failed'; message: string; isQuiet: boolean }
  /** The address has a part that prevents a search (ruling 6b). */
  | { kind: 'unread' }
  /** The search was aborted before it was answered. */
  | { kind: 'stopped' }
  | { kind: 'empty'; page: Page }
  /** `hasMore`: paging past what is held fetches more. */
  | { kind: 'loaded'; page: Page; hasMore: boolean };

/** The page of held packages that the preferences select, at most the last page. */
export function visiblePage({ results, preferences }: Pick<SearchState, 'results' | 'preferences'>): Page {
  const { sortBy, currentPage, perPage } = preferences;
  return pageOf(sortPackages(results?.packages ?? [], sortBy), currentPage, perPage);
}

/** `page` is the result of `visiblePage` for the same state, passed in so that the caller can memoize it. */
export function resultsView(state: SearchState, page: Page): ResultsView {
  if (state.loading) return { kind: 'loading' };
  if (state.error !== null) return { kind: 'failed', message: state.error, isQuiet: state.searchFailed };
  if (preventsSearch(state.unread)) return { kind: 'unread' };
  if (whatIsNeeded(state.results, currentSearch(state)) !== 'nothing') return { kind: 'stopped' };
  if (page.totalResults === 0) return { kind: 'empty', page };
  return { kind: 'loaded', page, hasMore: state.results !== null && canLoadMore(state.results) };
}
