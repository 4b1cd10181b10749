import { type Dispatch, type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { isFlexible } from '../../domain/flexibility.ts';
import { isDefaultParty } from '../../domain/party.ts';
import { DEFAULT_PAGE_CONFIG, type PageConfig } from '../config/page-config.ts';
import { type OpenedUrl, openUrl, preventsSearch, readForm } from './open-url.ts';
import { saveRecentSearch } from './recent-searches.ts';
import type { SearchFormValue } from './search-form-value.ts';
import type { SearchAction } from './search-reducer.ts';
import { isAbout, tripKey, whatIsNeeded } from './search-results.ts';
import { currentSearch, type SearchState } from './search-state.ts';
import type { SearchUrl } from './search-url.ts';
import { type AddressBar, clearSubmitted } from './use-address-bar.ts';
import type { RunningSearch } from './use-running-search.ts';

/** Which results get the focus when they are shown; null: none. */
export type PendingFocus = 'after a search' | 'on another page' | null;

export interface OpenUrlOptions {
  bar: AddressBar;
  state: SearchState;
  dispatch: Dispatch<SearchAction>;
  running: RunningSearch;
  pendingFocus: RefObject<PendingFocus>;
  today: CalendarDate;
  /** Null until loaded. */
  settings: UrlSettings | null;
}

/** The parties that packages are sold to, and whether the server accepts flexible searches and further filters. */
export type UrlSettings = Pick<PageConfig, 'parties' | 'facets'>;

const AIRPORTS_MISSING =
  'We couldn’t load the departure airports, so we haven’t run this search. Please search again.';

/**
 * Opens each new URL: reads it, stores its search, and shows loaded results or sends a request. A submitted URL never
 * reuses loaded results.
 */
export function useOpenUrl(options: OpenUrlOptions): void {
  const { bar, state, dispatch, running, pendingFocus, today, settings } = options;
  const { url, isSubmitted, path, isHydrating } = bar;
  const { airports, destinations } = state;

  const open = useEffectEvent(() => {
    if (url === null || (url === state.opened && !isSubmitted)) return;
    const airportsFailed = url.from !== null && airports.status === 'failed';
    if (airportsFailed || waitsForLists(url, state, settings)) return wait(url, airportsFailed);

    const opened = openUrl(url, { ...storedLists(state), ...(settings ?? DEFAULT_PAGE_CONFIG) }, today);
    const { search, unread } = opened;
    dispatch({ type: 'SET_OPENED', opened: url, unread });
    dispatch({ type: 'EDIT_FORM', form: formChanges(opened, isSubmitted, state) });
    const { sortBy, perPage, page, ...parameters } = search;
    dispatch({ type: 'SET_PARAMETERS', parameters });
    dispatch({ type: 'SET_PREFERENCES', preferences: { sortBy, perPage, currentPage: page } });

    if (isSubmitted) return runSubmitted(opened);
    if (running.isRunning(search)) return;
    running.stop();
    if (preventsSearch(unread)) return dispatch({ type: 'SET_IDLE' });
    const loaded = running.loadedFor(search) ?? state.results;
    const need = whatIsNeeded(loaded, search);
    if (need === 'nothing' && loaded !== null) return dispatch({ type: 'SET_RESULTS', results: loaded });
    running.start(search, {
      loaded: need === 'more' ? loaded : null,
      isNew: !isAbout(state.results, search),
    });
  });

  /** Shows what can be read without the lists. The URL is opened once they are loaded. */
  function wait(waiting: SearchUrl, airportsFailed: boolean): void {
    running.stop();
    if (isSubmitted) dispatch({ type: 'SET_LOADING', isNew: true });
    dispatch({ type: 'EDIT_FORM', form: readForm(waiting, settings?.parties ?? []) });
    if (airportsFailed) dispatch({ type: 'SET_ERROR', message: AIRPORTS_MISSING, inForm: false });
  }

  function runSubmitted({ search, unread }: OpenedUrl): void {
    clearSubmitted();
    pendingFocus.current = 'after a search';
    saveRecentSearch(search, today);
    if (preventsSearch(unread)) {
      running.stop();
      dispatch({ type: 'SET_IDLE' });
    } else {
      running.start(search, { loaded: null, isNew: true });
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a URL that waits for a list opens once it is loaded.
  useLayoutEffect(() => open(), [url, isSubmitted, airports, destinations, settings]);

  const leave = useEffectEvent(() => {
    running.stop();
    if (state.loading || state.error !== null) dispatch({ type: 'SET_IDLE' });
  });
  useLayoutEffect(() => {
    // On '/' the form is always idle.
    if (path === '/' && !isHydrating) leave();
  }, [path, isHydrating]);
}

/** Whether the page has yet to open its URL: it is hydrating, or waits for a list. */
export function isAwaitingUrl(
  { url, isSubmitted, isHydrating }: AddressBar,
  state: SearchState,
  settings: UrlSettings | null,
): boolean {
  if (isHydrating) return true;
  if (url === null) return false;
  return isSubmitted || (url !== state.opened && waitsForLists(url, state, settings));
}

function waitsForLists(
  { from, destination, party, flexibility, refine }: SearchUrl,
  { airports, destinations }: SearchState,
  settings: UrlSettings | null,
): boolean {
  return (
    (settings === null &&
      (!isDefaultParty(party) || isFlexible(flexibility) || Object.keys(refine).length > 0)) ||
    (from !== null && airports.status === 'pending') ||
    (destination !== null && destinations.status === 'pending')
  );
}

function storedLists({ airports, destinations }: SearchState) {
  return {
    airports: airports.status === 'stored' ? airports.value : [],
    destinations: destinations.status === 'stored' ? destinations.value : null,
  };
}

/**
 * What the form shows of an opened URL. Another page, order or filter of the same trip does not touch the visitor's edits.
 * A submitted form only gets the date of its search.
 */
function formChanges(
  { search, form, unread }: OpenedUrl,
  isSubmitted: boolean,
  state: SearchState,
): Partial<SearchFormValue> {
  if (unread.length > 0) return form;
  if (isSubmitted) return { date: search.date };
  return tripKey(search) === tripKey(currentSearch(state)) ? {} : form;
}
