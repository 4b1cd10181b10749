import { type Page, pageOf, sortPackages } from '../../domain/sort-and-page.ts';
import { canLoadMore, whatIsNeeded } from '../search/held-results.ts';
import { preventsSearch } from '../search/open-address.ts';
import { currentSearch, type SearchState } from '../search/search-state.ts';

/** What the results screen shows (Section 2), one of these at a time. */
export type ResultsView =
  | { kind: 'loading' }
  /** The message of a failed search is quiet: what is loud, and what to do, stands in the form's place (ruling 5). */
  | { kind: 'failed'; message: string; isQuiet: boolean }
  /** The address says what no search can be made of (ruling 6b). */
  | { kind: 'unread' }
  /** The search was aborted before its answer came. */
  | { kind: 'stopped' }
  | { kind: 'empty'; page: Page }
  /** `hasMore`: paging past what is held fetches more. */
  | { kind: 'loaded'; page: Page; hasMore: boolean };

/** The page of cards that the preferences ask for, of what is held: no page further than the last. */
export function visiblePage({ results, preferences }: Pick<SearchState, 'results' | 'preferences'>): Page {
  const { sortBy, currentPage, perPage } = preferences;
  return pageOf(sortPackages(results?.packages ?? [], sortBy), currentPage, perPage);
}

/** `page` is what `heldPage` gives for the same state; it comes from outside to be remembered there. */
export function resultsView(state: SearchState, page: Page): ResultsView {
  if (state.loading) return { kind: 'loading' };
  if (state.error !== null) return { kind: 'failed', message: state.error, isQuiet: state.searchFailed };
  if (preventsSearch(state.unread)) return { kind: 'unread' };
  if (whatIsNeeded(state.results, currentSearch(state)) !== 'nothing') return { kind: 'stopped' };
  if (page.totalResults === 0) return { kind: 'empty', page };
  return { kind: 'loaded', page, hasMore: state.results !== null && canLoadMore(state.results) };
}
