import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { type CalendarDate, defaultSearchDate, isInDepartureWindow } from '../../domain/calendar-date.ts';
import { destinationLabel } from '../../domain/destination-match.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { NO_FILTERS } from '../../domain/result-filters.ts';
import type { HolidaySearch, SearchAddress } from './search-address.ts';
import type { SearchFormValue } from './search-form-value.ts';
import type { SearchParametersState } from './search-state.ts';

/** What an address opens: the search to run, and what the form shows of it. */
export interface OpenedAddress {
  search: HolidaySearch;
  /** Only what could be read; the rest of the form stays as it is. */
  form: Partial<SearchFormValue>;
}

/**
 * Reads an address against the airport list and the calendar. Where a part says what no search can be made
 * of (an airport that is not listed, a day that has passed), the search lacks every part and so finds nothing
 * without a call (Section 5). A part that is not there takes the data layer's default (Section 9).
 */
export function openAddress(
  address: SearchAddress,
  airports: readonly Airport[],
  today: CalendarDate,
): OpenedAddress {
  const { boardBasis, starRating, sortBy, perPage, page } = address;
  const departureAirport =
    address.from === null ? null : (findAirportSelection(airports, address.from) ?? null);
  const date = address.date !== null && isInDepartureWindow(address.date, today) ? address.date : null;
  const searchable =
    address.readable &&
    (address.from === null || departureAirport !== null) &&
    (address.date === null || date !== null);
  const parts: SearchParametersState = searchable
    ? {
        destination: address.destination,
        departureAirport,
        date: date ?? defaultSearchDate(today),
        duration: address.duration ?? DEFAULT_DURATION,
        boardBasis,
        starRating,
      }
    : { destination: null, departureAirport: null, date: null, duration: DEFAULT_DURATION, ...NO_FILTERS };
  const runs = parts.destination !== null && parts.departureAirport !== null;
  return {
    search: { ...parts, sortBy, perPage, page },
    form: {
      ...readForm({ ...address, date: runs ? parts.date : date }),
      ...(departureAirport === null ? {} : { departureAirport }),
    },
  };
}

/** What the form can show of an address before the airports are known. */
export function readForm({ destination, date, duration }: SearchAddress): Partial<SearchFormValue> {
  return {
    ...(destination === null
      ? {}
      : { destination: { label: destinationLabel(destination), tuple: destination } }),
    ...(date === null ? {} : { date }),
    ...(duration === null ? {} : { duration }),
  };
}
