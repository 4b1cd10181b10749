import { type RefObject, useMemo, useReducer, useRef } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import type { Duration } from '../../domain/duration.ts';
import type { ResultFilters } from '../../domain/result-filters.ts';
import type { SortBy } from '../../domain/sort-by.ts';
import { DEFAULT_PAGE_CONFIG, type PageConfig } from '../config/page-config.ts';
import type { LoadState } from '../ui/load-state.ts';
import { scrollToTop } from '../ui/scroll-memory.ts';
import type { SearchFormValue } from './search-form-value.ts';
import { searchReducer } from './search-reducer.ts';
import { currentSearch, formSearch, initialSearchState, type SearchState } from './search-state.ts';
import type { HolidaySearch } from './search-url.ts';
import { showSearch, submitSearch, useAddressBar } from './use-address-bar.ts';
import { useLists } from './use-lists.ts';
import { isAwaitingUrl, type PendingFocus, useOpenUrl } from './use-open-url.ts';
import { type SearchCode, useRunningSearch } from './use-running-search.ts';
import { useToday } from './use-today.ts';

/** The page's search, and what a visitor can do with it. */
export interface HolidaySearchControl {
  state: SearchState;
  today: CalendarDate;
  /** Whether the page has yet to open its URL: see `isAwaitingUrl`. */
  waitingForUrl: boolean;
  pendingFocus: RefObject<PendingFocus>;
  editForm: (change: Partial<SearchFormValue>) => void;
  /** Runs the form's search. */
  search: () => void;
  /** 'Modify Search': aborts the running search and re-enables the form. */
  modify: () => void;
  dismissFormFailure: () => void;
  /** Runs the search of the URL again. */
  searchAgain: () => void;
  showPage: (page: number) => void;
  showSortedBy: (sortBy: SortBy) => void;
  showPerPage: (perPage: number) => void;
  /** Changes the given filters, and goes to page 1. `isSameStep`: Back undoes this change with the one before. */
  showFiltered: (filters: Partial<ResultFilters>, options?: { isSameStep: boolean }) => void;
  /** Searches another departure day, and other nights if given. */
  showDay: (date: CalendarDate, duration?: Duration) => void;
  retryLists: () => void;
}

/**
 * The page's only search. The URL decides what is searched for: the form, sorting and paging only navigate,
 * and `useOpenUrl` opens the new URL.
 */
export function useHolidaySearch(
  config: LoadState<PageConfig>,
  loadCode: () => Promise<SearchCode>,
): HolidaySearchControl {
  const settings = config.status === 'stored' ? config.value : null;
  const today = useToday();
  const { retry: retryLists, destinations, airports } = useLists(settings);
  const [searched, dispatch] = useReducer(searchReducer, today, initialSearchState);
  const state = useMemo(() => ({ ...searched, destinations, airports }), [searched, destinations, airports]);
  const bar = useAddressBar();
  const running = useRunningSearch({ service: settings ?? DEFAULT_PAGE_CONFIG, loadCode, dispatch });
  const pendingFocus = useRef<PendingFocus>(null);
  useOpenUrl({ bar, state, dispatch, running, pendingFocus, today, settings });

  /** The changes since the last render, so that two changes in one tick are both kept. */
  const changes = useRef<{ since: SearchState; change: Partial<HolidaySearch> } | null>(null);
  const show = (latest: Partial<HolidaySearch>, isSameStep = false) => {
    const earlier = changes.current?.since === state ? changes.current.change : {};
    const change = { ...earlier, ...latest };
    changes.current = { since: state, change };
    showSearch({ ...currentSearch(state), ...change }, { replace: isSameStep });
  };

  return {
    state,
    today,
    waitingForUrl: isAwaitingUrl(bar, state, settings),
    pendingFocus,
    retryLists,
    editForm: (form) => dispatch({ type: 'EDIT_FORM', form }),
    dismissFormFailure: () => dispatch({ type: 'DISMISS_FORM_FAILURE' }),
    search() {
      submitSearch(formSearch(state, today));
      scrollToTop();
    },
    modify() {
      running.stop();
      dispatch({ type: 'SET_IDLE' });
    },
    searchAgain() {
      pendingFocus.current = 'after a search';
      if (state.airports.status === 'failed') retryLists();
      else running.start(currentSearch(state), { loaded: null, isNew: state.results === null });
    },
    showPage(page) {
      pendingFocus.current = 'on another page';
      show({ page });
    },
    showSortedBy: (sortBy) => show({ sortBy, page: 1 }),
    showPerPage: (perPage) => show({ perPage, page: 1 }),
    showFiltered: (filters, options) => show({ ...filters, page: 1 }, options?.isSameStep),
    showDay(date, duration = state.duration) {
      pendingFocus.current = 'after a search';
      show({ date, duration, flexibility: { ...state.flexibility, days: 0 }, page: 1 });
    },
  };
}
