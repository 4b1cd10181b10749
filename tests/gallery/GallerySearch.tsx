import type { ReactNode } from 'react';
import { SearchContext } from '../../web/search/search-context.tsx';
import { initialSearchState, type SearchState } from '../../web/search/search-state.ts';
import { SEARCH } from '../fixtures/page-search.ts';
import { AIRPORTS, CONFIG, DESTINATIONS, TODAY } from './gallery-data.ts';

const NOTHING = () => {};

interface GallerySearchProps {
  state: Partial<SearchState>;
  children: ReactNode;
}

/** A search in one state, with commands that do nothing. */
export function GallerySearch({ state, children }: GallerySearchProps) {
  const value = {
    state: { ...searchState(), ...state },
    config: CONFIG,
    hasSettings: true,
    today: TODAY,
    waitingForUrl: false,
    pendingFocus: { current: null },
    editForm: NOTHING,
    search: NOTHING,
    modify: NOTHING,
    dismissFormFailure: NOTHING,
    searchAgain: NOTHING,
    showPage: NOTHING,
    showSortedBy: NOTHING,
    showPerPage: NOTHING,
    showFiltered: NOTHING,
    showDay: NOTHING,
    retryLists: NOTHING,
  };
  return <SearchContext value={value}>{children}</SearchContext>;
}

function searchState(): SearchState {
  const { sortBy, perPage, page, ...parameters } = SEARCH;
  return {
    ...initialSearchState(TODAY),
    ...parameters,
    destinations: { status: 'stored', value: DESTINATIONS },
    airports: { status: 'stored', value: AIRPORTS },
    preferences: { sortBy, perPage, currentPage: page },
    shown: { sortBy, perPage, currentPage: page },
  };
}
