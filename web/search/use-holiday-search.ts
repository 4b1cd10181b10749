import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
// The bare hooks: wouter's own useSearch decodes the query once before anyone can parse it.
import { navigate, useSearch } from 'wouter/use-browser-location';
import { type CalendarDate, departureDate } from '../../domain/calendar-date.ts';
import { NO_FILTERS, type ResultFilters } from '../../domain/result-filters.ts';
import type { SortBy } from '../../domain/sort-by.ts';
import { DEFAULT_PAGE_CONFIG, type PageConfig } from '../config/page-config.ts';
import type { ListState } from '../ui/load-state.ts';
import { useIsHydrating } from '../ui/use-is-hydrating.ts';
import { usePath } from '../ui/use-path.ts';
import { type HeldResults, tripKey, whatIsNeeded } from './held-results.ts';
import { openAddress, preventsSearch, readForm } from './open-address.ts';
import { keepRecent } from './recent-searches.ts';
import {
  type HolidaySearch,
  parseSearchAddress,
  type SearchAddress,
  toSearchAddress,
} from './search-address.ts';
import type { SearchFormValue } from './search-form-value.ts';
import { searchReducer } from './search-reducer.ts';
import { currentSearch, initialSearchState, type SearchState } from './search-state.ts';
import { startSearch } from './start-search.ts';
import { useLists } from './use-lists.ts';
import { useToday } from './use-today.ts';

/** What the page reads of a search, and what a visitor can do with it. */
export interface HolidaySearchControl {
  state: SearchState;
  today: CalendarDate;
  /**
   * An address is open that has not been looked into yet: the prerendered page is still being taken over, or a
   * list that its place or its airport is read by is not here.
   */
  waitingForAddress: boolean;
  /** Set where focus should go to the results once they are painted: after a search, or to another page. */
  focusWish: RefObject<FocusWish>;
  editForm: (form: SearchFormValue) => void;
  /** Searches for what the form holds. */
  search: () => void;
  /** 'Modify Search': aborts the running search and gives the form back. */
  modify: () => void;
  dismissFormFailure: () => void;
  /** Runs the search of the address again from its beginning. */
  searchAgain: () => void;
  showPage: (page: number) => void;
  showSortedBy: (sortBy: SortBy) => void;
  showPerPage: (perPage: number) => void;
  /** Narrows the results, from page 1; what is not given stays. */
  showFiltered: (filters: Partial<ResultFilters>) => void;
  /** The same search on another day of departure. */
  showDay: (date: CalendarDate) => void;
  retryLists: () => void;
}

export type FocusWish = 'after a search' | 'on another page' | null;

const AIRPORTS_MISSING =
  'This search has not run, because the departure airports could not be loaded. Please search again.';

/**
 * The page's one search. The address is what decides (ruling 6): the form, sorting and paging write an
 * address, and whichever address the page comes to is opened here, from what is held or by asking the server.
 */
export function useHolidaySearch(config: ListState<PageConfig>): HolidaySearchControl {
  const settings = config.status === 'stored' ? config.value : DEFAULT_PAGE_CONFIG;
  const today = useToday();
  const [state, dispatch] = useReducer(searchReducer, today, initialSearchState);
  const retryLists = useLists(config, state, dispatch);
  const path = usePath();
  const query = useSearch({ ssrSearch: '' });
  const isHydrating = useIsHydrating();
  const address = useMemo(
    () => (path === '/results' && !isHydrating ? parseSearchAddress(query) : null),
    [path, query, isHydrating],
  );
  const running = useRef<{ address: string; abort: AbortController } | null>(null);
  const focusWish = useRef<FocusWish>(null);
  const { airports, destinations } = state;
  const waitingForAddress =
    isHydrating || (address !== null && address !== state.opened && waitsForLists(address, state));

  function stop(): void {
    running.current?.abort.abort();
    running.current = null;
  }

  function ask(search: HolidaySearch, held: HeldResults | null, inForm: boolean): void {
    stop();
    const mine = { address: toSearchAddress(search), abort: new AbortController() };
    running.current = mine;
    const { signal } = mine.abort;
    const { brandCode } = settings;
    const done = startSearch(search, { service: settings, brandCode, dispatch, signal, held, inForm });
    void done.finally(() => {
      if (running.current === mine) running.current = null;
    });
  }

  function store({ sortBy, perPage, page, ...parameters }: HolidaySearch): void {
    dispatch({ type: 'SET_PARAMETERS', parameters });
    dispatch({ type: 'SET_PREFERENCES', preferences: { sortBy, perPage, currentPage: page } });
  }

  const open = useEffectEvent((opened: SearchAddress | null) => {
    if (opened === null || opened === state.opened) return;
    const airportsFailed = opened.from !== null && airports.status === 'failed';
    if (airportsFailed || waitsForLists(opened, state)) {
      stop();
      dispatch({ type: 'EDIT_FORM', form: readForm(opened) });
      if (airportsFailed) dispatch({ type: 'SET_ERROR', message: AIRPORTS_MISSING, inForm: false });
      return;
    }
    const lists = {
      airports: airports.status === 'stored' ? airports.value : [],
      destinations: destinations.status === 'stored' ? destinations.value : null,
    };
    const { search, form, unread } = openAddress(opened, lists, today);
    dispatch({ type: 'SET_OPENED', opened, unread });
    const isOtherTrip = tripKey(search) !== tripKey(currentSearch(state));
    // Another page, order or filter of the same trip leaves alone what the visitor is changing in the form.
    if (isOtherTrip || unread.length > 0) dispatch({ type: 'EDIT_FORM', form });
    store(search);
    if (running.current?.address === toSearchAddress(search)) return;
    stop();
    const need = whatIsNeeded(state.results, search);
    if (need === 'nothing' || preventsSearch(unread)) dispatch({ type: 'SET_IDLE' });
    else ask(search, need === 'more pages' ? state.results : null, state.results?.trip !== tripKey(search));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that waits for a list is opened once it is here.
  useLayoutEffect(() => open(address), [address, airports, destinations]);

  const leave = useEffectEvent(() => {
    stop();
    if (state.loading || state.error !== null) dispatch({ type: 'SET_IDLE' });
  });
  useLayoutEffect(() => {
    // The first page has the form at rest, whatever was going on behind it.
    if (path === '/' && !isHydrating) leave();
  }, [path, isHydrating]);

  function look(change: Partial<HolidaySearch>): void {
    navigate(toSearchAddress({ ...currentSearch(state), ...change }));
  }

  return {
    state,
    today,
    waitingForAddress,
    focusWish,
    retryLists,
    editForm: (form) => dispatch({ type: 'EDIT_FORM', form }),
    dismissFormFailure: () => dispatch({ type: 'DISMISS_FORM_FAILURE' }),
    search() {
      const search = searchOf(state, today);
      const target = toSearchAddress(search);
      if (running.current?.address === target) return;
      focusWish.current = 'after a search';
      store(search);
      dispatch({ type: 'EDIT_FORM', form: { date: search.date } });
      ask(search, null, true);
      keepRecent(() => localStorage, search, today);
      if (target !== path + query) navigate(target);
      scrollToTop();
    },
    modify() {
      stop();
      dispatch({ type: 'SET_IDLE' });
    },
    searchAgain() {
      focusWish.current = 'after a search';
      if (airports.status === 'failed') retryLists();
      else ask(currentSearch(state), null, false);
    },
    showPage(page) {
      focusWish.current = 'on another page';
      look({ page });
    },
    showSortedBy: (sortBy) => look({ sortBy, page: 1 }),
    showPerPage: (perPage) => look({ perPage, page: 1 }),
    showFiltered: (filters) => look({ ...filters, page: 1 }),
    showDay(date) {
      focusWish.current = 'after a search';
      look({ date, page: 1 });
    },
  };
}

/** Whether a list that the address is read by is still on its way. */
function waitsForLists(
  { from, destination }: SearchAddress,
  { airports, destinations }: SearchState,
): boolean {
  const waits = from !== null && airports.status === 'pending';
  return waits || (destination !== null && destinations.status === 'pending');
}

/**
 * The form's search, from page 1 and unfiltered: filters belong to the results that they were set beside. A date
 * that is not picked, or has passed since, is tomorrow (ruling 1).
 */
function searchOf({ form, preferences }: SearchState, today: CalendarDate): HolidaySearch {
  const { destination, departureAirport, date, duration } = form;
  return {
    destination: destination?.tuple ?? null,
    departureAirport,
    date: departureDate(date, today),
    duration,
    ...NO_FILTERS,
    sortBy: preferences.sortBy,
    perPage: preferences.perPage,
    page: 1,
  };
}

function scrollToTop(): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  window.scrollTo({ top: 0, behavior: calm ? 'auto' : 'smooth' });
}
