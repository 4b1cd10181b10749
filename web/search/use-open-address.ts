import { type Dispatch, type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import type { CalendarDate } from '../../domain/calendar-date.ts';
import { isDefaultParty, type Party } from '../../domain/party.ts';
import { tripKey, whatIsNeeded } from './held-results.ts';
import { type OpenedAddress, openAddress, preventsSearch, readForm } from './open-address.ts';
import { saveRecentSearch } from './recent-searches.ts';
import type { HolidaySearch, SearchAddress } from './search-address.ts';
import type { SearchFormValue } from './search-form-value.ts';
import type { SearchAction } from './search-reducer.ts';
import { currentSearch, type SearchState } from './search-state.ts';
import { type AddressBar, clearSubmitted } from './use-address-bar.ts';
import type { RunningSearch } from './use-running-search.ts';

/** Which results get the focus once they are painted; null: none. */
export type PendingFocus = 'after a search' | 'on another page' | null;

export interface OpenAddressOptions {
  bar: AddressBar;
  state: SearchState;
  dispatch: Dispatch<SearchAction>;
  running: RunningSearch;
  pendingFocus: RefObject<PendingFocus>;
  today: CalendarDate;
  /** The parties that packages are sold to; null until the settings are loaded. */
  parties: readonly Party[] | null;
}

const AIRPORTS_MISSING =
  'We haven’t run this search, because the departure airports couldn’t be loaded. Please search again.';

/**
 * Opens each address that the page comes to: reads it, stores its search, and shows what is held or asks the server.
 * A submitted address always asks.
 */
export function useOpenAddress(options: OpenAddressOptions): void {
  const { bar, state, dispatch, running, pendingFocus, today, parties } = options;
  const { address, isSubmitted, path, isHydrating } = bar;
  const { airports, destinations } = state;

  const open = useEffectEvent(() => {
    if (address === null || (address === state.opened && !isSubmitted)) return;
    const airportsFailed = address.from !== null && airports.status === 'failed';
    if (airportsFailed || waitsForLists(address, state, parties)) return wait(address, airportsFailed);

    const opened = openAddress(address, { ...storedLists(state), parties: parties ?? [] }, today);
    const { search, unread } = opened;
    dispatch({ type: 'SET_OPENED', opened: address, unread });
    dispatch({ type: 'EDIT_FORM', form: formChanges(opened, isSubmitted, state) });
    storeSearch(search, dispatch);

    if (isSubmitted) return runSubmitted(opened);
    if (running.isRunning(search)) return;
    running.stop();
    const need = whatIsNeeded(state.results, search);
    if (need === 'nothing' || preventsSearch(unread)) return dispatch({ type: 'SET_IDLE' });
    const held = need === 'more pages' ? state.results : null;
    running.start(search, { held, inForm: state.results?.trip !== tripKey(search) });
  });

  /** Shows what can be read without the lists; the address is opened once they are stored. */
  function wait(waiting: SearchAddress, airportsFailed: boolean): void {
    running.stop();
    if (isSubmitted) dispatch({ type: 'SET_LOADING' });
    dispatch({ type: 'EDIT_FORM', form: readForm(waiting, parties ?? []) });
    if (airportsFailed) dispatch({ type: 'SET_ERROR', message: AIRPORTS_MISSING, inForm: false });
  }

  function runSubmitted({ search, unread }: OpenedAddress): void {
    clearSubmitted();
    pendingFocus.current = 'after a search';
    saveRecentSearch(() => localStorage, search, today);
    if (preventsSearch(unread)) {
      running.stop();
      dispatch({ type: 'SET_IDLE' });
    } else {
      running.start(search, { held: null, inForm: true });
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that waits for a list opens once it is stored.
  useLayoutEffect(() => open(), [address, isSubmitted, airports, destinations, parties]);

  const leave = useEffectEvent(() => {
    running.stop();
    if (state.loading || state.error !== null) dispatch({ type: 'SET_IDLE' });
  });
  useLayoutEffect(() => {
    // On '/' the form is idle, whatever was running.
    if (path === '/' && !isHydrating) leave();
  }, [path, isHydrating]);
}

/** Whether the page has yet to open its address: it is hydrating, or waits for a list that it reads the address by. */
export function isAwaitingAddress(
  { address, isSubmitted, isHydrating }: AddressBar,
  state: SearchState,
  parties: readonly Party[] | null,
): boolean {
  if (isHydrating) return true;
  if (address === null) return false;
  return isSubmitted || (address !== state.opened && waitsForLists(address, state, parties));
}

function waitsForLists(
  { from, destination, party }: SearchAddress,
  { airports, destinations }: SearchState,
  parties: readonly Party[] | null,
): boolean {
  return (
    (parties === null && !isDefaultParty(party)) ||
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
 * What the form shows of an opened address. Another page, order or filter of the same trip leaves what the visitor is
 * editing alone. A submitted form only gets the date that it was searched with.
 */
function formChanges(
  { search, form, unread }: OpenedAddress,
  isSubmitted: boolean,
  state: SearchState,
): Partial<SearchFormValue> {
  if (unread.length > 0) return form;
  if (isSubmitted) return { date: search.date };
  return tripKey(search) === tripKey(currentSearch(state)) ? {} : form;
}

function storeSearch(
  { sortBy, perPage, page, ...parameters }: HolidaySearch,
  dispatch: Dispatch<SearchAction>,
): void {
  dispatch({ type: 'SET_PARAMETERS', parameters });
  dispatch({ type: 'SET_PREFERENCES', preferences: { sortBy, perPage, currentPage: page } });
}
