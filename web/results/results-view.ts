import { type Page, pageOf, sortPackages } from '../../domain/sort-and-page.ts';
import { whatIsNeeded } from '../search/held-results.ts';
import { currentSearch, type SearchState } from '../search/search-state.ts';

/** What the results screen shows (Section 2), one of these at a time. */
export type ResultsView =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  /** The search was aborted before its answer came. */
  | { kind: 'stopped' }
  | { kind: 'empty'; page: Page }
  | { kind: 'loaded'; page: Page; hasMore: boolean };

/** The page of cards that the preferences ask for, of what is held: no page further than the last. */
export function heldPage({ results, preferences }: Pick<SearchState, 'results' | 'preferences'>): Page {
  const { sortBy, currentPage, perPage } = preferences;
  return pageOf(sortPackages(results?.packages ?? [], sortBy), currentPage, perPage);
}

/** `page` is what `heldPage` gives for the same state; it comes from outside to be remembered there. */
export function resultsView(state: SearchState, page: Page): ResultsView {
  if (state.loading) return { kind: 'loading' };
  if (state.error !== null) return { kind: 'failed', message: state.error };
  if (whatIsNeeded(state.results, currentSearch(state)) !== 'nothing') return { kind: 'stopped' };
  if (page.totalResults === 0) return { kind: 'empty', page };
  return { kind: 'loaded', page, hasMore: (state.results?.nextToken ?? null) !== null };
}
