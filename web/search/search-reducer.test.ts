import { describe, expect, it } from 'vitest';
import { NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { DEFAULT_PARTY } from '../../domain/party.ts';
import { GATWICK, resultsFor, SEARCH } from '../../tests/fixtures/page-search.ts';
import { type SearchAction, searchReducer } from './search-reducer.ts';
import { currentSearch, initialSearchState, type SearchState } from './search-state.ts';

const START = initialSearchState('2027-01-31');

function stateAfter(...actions: SearchAction[]): SearchState {
  return actions.reduce(searchReducer, START);
}

const LOADING: SearchAction = { type: 'SET_LOADING', isNew: false };
const FAILED: SearchAction = { type: 'SET_ERROR', message: 'API Error: 500 - no', inForm: true };
const RESULTS: SearchAction = { type: 'SET_RESULTS', results: resultsFor(SEARCH, 3) };

describe('searchReducer', () => {
  // @proves 3.1
  it('starts one month ahead with 7 nights, and with no date in the form', () => {
    expect(currentSearch(START)).toEqual({
      destination: null,
      departureAirport: null,
      date: '2027-02-28',
      duration: 7,
      party: DEFAULT_PARTY,
      flexibility: NO_FLEXIBILITY,
      boardBasis: '',
      starRating: '',
      refine: {},
      sortBy: 'default',
      perPage: 10,
      page: 1,
    });
    expect(START.form.date).toBeNull();
  });

  // @proves 4.2
  it('clears the error and keeps the loaded results while loading', () => {
    expect(stateAfter(RESULTS, FAILED, LOADING)).toMatchObject({
      loading: true,
      error: null,
      formFailed: false,
      results: RESULTS.results,
    });
  });

  // @proves 4.3
  it('stops loading when results arrive', () => {
    expect(stateAfter(LOADING, RESULTS)).toMatchObject({
      loading: false,
      error: null,
      results: RESULTS.results,
    });
  });

  // @proves 4.4
  it('stops loading on a failure, and keeps the loaded results for Back', () => {
    expect(stateAfter(RESULTS, LOADING, FAILED)).toMatchObject({
      loading: false,
      error: 'API Error: 500 - no',
      formFailed: true,
      results: RESULTS.results,
    });
  });

  it('removes the results of another place', () => {
    expect(stateAfter(RESULTS, { type: 'SET_LOADING', isNew: true }).results).toBeNull();
  });

  it("restores the form after a failure, and keeps the results' message", () => {
    const edit: SearchAction = { type: 'EDIT_FORM', form: { departureAirport: GATWICK, duration: 14 } };
    const state = stateAfter(edit, LOADING, FAILED, { type: 'DISMISS_FORM_FAILURE' });
    expect(state).toMatchObject({ formFailed: false, error: 'API Error: 500 - no' });
    expect(state.form).toEqual({
      destination: null,
      departureAirport: GATWICK,
      date: null,
      duration: 14,
      party: SEARCH.party,
      flexibility: NO_FLEXIBILITY,
    });
  });

  // @proves 4.6
  it('merges preferences, and sets several parameters together', () => {
    const state = stateAfter(
      { type: 'SET_PREFERENCES', preferences: { currentPage: 4 } },
      { type: 'SET_PREFERENCES', preferences: { sortBy: 'date-asc' } },
      {
        type: 'SET_PARAMETERS',
        parameters: {
          destination: SEARCH.destination,
          departureAirport: GATWICK,
          date: '2027-05-01',
          duration: 7,
          party: SEARCH.party,
          flexibility: NO_FLEXIBILITY,
          boardBasis: '',
          starRating: '',
          refine: {},
        },
      },
    );
    expect(currentSearch(state)).toEqual({ ...SEARCH, sortBy: 'date-asc', page: 4 });
  });

  it('stops loading after an abort', () => {
    expect(stateAfter(RESULTS, LOADING, { type: 'SET_IDLE' })).toMatchObject({ loading: false, error: null });
  });
});
