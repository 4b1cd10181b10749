import type { Airport } from '../../domain/airport.ts';
import { type CalendarDate, defaultSearchDate, departureDate } from '../../domain/calendar-date.ts';
import type { DestinationIndex } from '../../domain/destination-index.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import { NO_FILTERS, type ResultFilters } from '../../domain/result-filters.ts';
import { DEFAULT_PAGE_SIZE } from '../../domain/sort-and-page.ts';
import type { SortBy } from '../../domain/sort-by.ts';
import type { LoadState } from '../ui/load-state.ts';
import type { SearchFormValue } from './search-form-value.ts';
import type { SearchResults } from './search-results.ts';
import type { HolidaySearch, SearchTrip, SearchUrl, UnreadPart } from './search-url.ts';

/** How results are displayed (Section 3). */
export interface Preferences {
  perPage: number;
  sortBy: SortBy;
  currentPage: number;
}

/** The lists of places and airports (Section 4). */
export interface Lists {
  destinations: LoadState<DestinationIndex>;
  airports: LoadState<readonly Airport[]>;
}

/** The search state of Section 3. Its pagination is derived from `results` and `preferences` where it is shown. */
export interface SearchState extends SearchTrip, ResultFilters, Lists {
  results: SearchResults | null;
  loading: boolean;
  error: string | null;
  preferences: Preferences;
  /** The form's values, which may differ from the search of the results. */
  form: SearchFormValue;
  /** How `results` are displayed: `preferences`, unless these wait for results or their search failed. */
  shown: Preferences;
  /** Whether the message of a failed new search replaces the form, until it is dismissed. */
  formFailed: boolean;
  /** The URL opened last, and its invalid parts. */
  opened: SearchUrl | null;
  unread: readonly UnreadPart[];
}

const EMPTY_FORM: SearchFormValue & SearchTrip = {
  destination: null,
  departureAirport: null,
  date: null,
  duration: DEFAULT_DURATION,
  party: DEFAULT_PARTY,
  flexibility: NO_FLEXIBILITY,
};

const DEFAULT_PREFERENCES: Preferences = { perPage: DEFAULT_PAGE_SIZE, sortBy: 'default', currentPage: 1 };

/** The initial state: the data layer's date is one month ahead, the form has no date. */
export function initialSearchState(today: CalendarDate): SearchState {
  return {
    ...EMPTY_FORM,
    date: defaultSearchDate(today),
    ...NO_FILTERS,
    destinations: { status: 'pending' },
    airports: { status: 'pending' },
    results: null,
    loading: false,
    error: null,
    preferences: DEFAULT_PREFERENCES,
    shown: DEFAULT_PREFERENCES,
    form: EMPTY_FORM,
    formFailed: false,
    opened: null,
    unread: [],
  };
}

/** The current search, for a URL or a request. */
export function currentSearch(state: SearchState): HolidaySearch {
  const { destination, departureAirport, date, duration, party, flexibility, preferences } = state;
  const { boardBasis, starRating, refine } = state;
  const { sortBy, perPage, currentPage } = preferences;
  return {
    destination,
    departureAirport,
    date,
    duration,
    party,
    flexibility,
    boardBasis,
    starRating,
    refine,
    sortBy,
    perPage,
    page: currentPage,
  };
}

/**
 * The form's search, from page 1. Filters do not apply: they belong to the results they were set on. A missing or passed
 * date becomes tomorrow.
 */
export function formSearch({ form, preferences }: SearchState, today: CalendarDate): HolidaySearch {
  return {
    ...form,
    destination: form.destination?.tuple ?? null,
    date: departureDate(form.date, today),
    ...NO_FILTERS,
    sortBy: preferences.sortBy,
    perPage: preferences.perPage,
    page: 1,
  };
}
