import { describe, expect, it } from 'vitest';
import { resultsFor, SEARCH } from '../../tests/fixtures/page-search.ts';
import { initialSearchState, type SearchState } from '../search/search-state.ts';
import { resultsView, visiblePage } from './results-view.ts';

const { sortBy, perPage, page, ...parameters } = SEARCH;
const AT_SEARCH: SearchState = {
  ...initialSearchState('2027-01-31'),
  ...parameters,
  preferences: { sortBy, perPage, currentPage: page },
  shown: { sortBy, perPage, currentPage: page },
  results: resultsFor(SEARCH, 23),
};

function view(change: Partial<SearchState>) {
  const state = { ...AT_SEARCH, ...change };
  return resultsView(state, visiblePage(state));
}

describe('resultsView', () => {
  it('shows one state at a time', () => {
    expect(view({ loading: true, error: 'old', results: null })).toMatchObject({
      kind: 'loading',
      page: null,
    });
    expect(view({ error: 'API Error: 500 - no', results: null })).toMatchObject({
      kind: 'failed',
      message: 'API Error: 500 - no',
      isQuiet: false,
      page: null,
    });
    expect(view({ results: resultsFor(SEARCH, 0) })).toMatchObject({ kind: 'empty' });
    expect(view({})).toMatchObject({ kind: 'loaded', hasMore: false });
  });

  it('shows a failed search as plain text beside the red message of the form', () => {
    expect(view({ error: 'no', formFailed: true })).toMatchObject({ kind: 'failed', isQuiet: true });
  });

  it('keeps the page of earlier results while another order, filter or page loads, and if it fails', () => {
    const preferences = { sortBy: 'price-desc' as const, perPage, currentPage: 11 };
    for (const change of [{ loading: true }, { error: 'no' }]) {
      const { page: kept } = view({ ...change, preferences }) as { page: unknown };
      expect(kept).toMatchObject({ from: 1, to: 10, currentPage: 1 });
    }
  });

  it('shows no results for a URL with a part that prevents the search', () => {
    expect(view({ unread: [{ part: 'date', text: 'soon' }] })).toEqual({ kind: 'unread' });
    expect(view({ unread: [{ part: 'nights', text: '5' }] })).toMatchObject({ kind: 'loaded' });
  });

  it('never shows the results of another search', () => {
    expect(view({ date: '2027-06-01' })).toEqual({ kind: 'stopped' });
    expect(view({ results: null })).toEqual({ kind: 'stopped' });
  });

  it.each([
    [1, 10, { from: 1, to: 10, currentPage: 1, totalPages: 3 }],
    [3, 10, { from: 21, to: 23, currentPage: 3, totalPages: 3 }],
    [9, 5, { from: 21, to: 23, currentPage: 5, totalPages: 5 }],
  ])('shows page %d with %d results per page', (currentPage, size, shown) => {
    const preferences = { sortBy, perPage: size, currentPage };
    expect(view({ preferences, shown: preferences })).toMatchObject({ page: { ...shown, totalResults: 23 } });
  });

  it('offers more pages if the server has more', () => {
    const results = resultsFor(SEARCH, 100, { hasMoreData: true, nextToken: 'next' });
    expect(view({ results })).toMatchObject({ hasMore: true });
  });

  it('offers no more pages at the limit of loaded packages', () => {
    const results = resultsFor(SEARCH, 2_000, { hasMoreData: true, nextToken: 'next' });
    expect(view({ results })).toMatchObject({ hasMore: false });
  });
});
