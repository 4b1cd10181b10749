import type { ResultFilters } from '../../domain/result-filters.ts';
import type { SearchFormValue } from './search-form-value.ts';
import type { SearchResults } from './search-results.ts';
import type { Preferences, SearchState } from './search-state.ts';
import type { SearchTrip, SearchUrl, UnreadPart } from './search-url.ts';

/** The actions of the search state (Section 4). */
export type SearchAction =
  | { type: 'SET_PARAMETERS'; parameters: SearchTrip & ResultFilters }
  | { type: 'SET_PREFERENCES'; preferences: Partial<Preferences> }
  | { type: 'SET_OPENED'; opened: SearchUrl; unread: readonly UnreadPart[] }
  /** `isNew`: for another place or airport, or by the form. Results of other searches stay until it ends. */
  | { type: 'SET_LOADING'; isNew: boolean }
  | { type: 'SET_RESULTS'; results: SearchResults }
  /** `inForm`: the form's search failed, so that the message replaces the form. */
  | { type: 'SET_ERROR'; message: string; inForm: boolean }
  /** The running search was aborted or is not needed. Loaded results stay. */
  | { type: 'SET_IDLE' }
  | { type: 'EDIT_FORM'; form: Partial<SearchFormValue> }
  | { type: 'DISMISS_FORM_FAILURE' };

export function searchReducer(state: SearchState, action: SearchAction): SearchState {
  switch (action.type) {
    case 'SET_PARAMETERS':
      return { ...state, ...action.parameters };
    case 'SET_PREFERENCES':
      return { ...state, preferences: { ...state.preferences, ...action.preferences } };
    case 'SET_OPENED':
      return { ...state, opened: action.opened, unread: action.unread };
    case 'SET_LOADING':
      return {
        ...state,
        loading: true,
        error: null,
        formFailed: false,
        results: action.isNew ? null : state.results,
      };
    case 'SET_RESULTS':
      return { ...state, loading: false, error: null, results: action.results, shown: state.preferences };
    case 'SET_ERROR':
      return { ...state, loading: false, error: action.message, formFailed: action.inForm };
    case 'SET_IDLE':
      return { ...state, loading: false, error: null, formFailed: false };
    case 'EDIT_FORM':
      return { ...state, form: { ...state.form, ...action.form } };
    case 'DISMISS_FORM_FAILURE':
      return { ...state, formFailed: false };
  }
}
