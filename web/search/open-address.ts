import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { type CalendarDate, defaultSearchDate, isInDepartureWindow } from '../../domain/calendar-date.ts';
import { placeName } from '../../domain/destination.ts';
import { type DestinationIndex, destinationLabel } from '../../domain/destination-index.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { findDestination } from '../../domain/find-destination.ts';
import type { HolidaySearch, SearchAddress, UnreadPart } from './search-address.ts';
import type { SearchFormValue } from './search-form-value.ts';

/** What an address opens: the search to run, and what the form shows of it. */
export interface OpenedAddress {
  /** What could not be read is missing from it, or has its default. */
  search: HolidaySearch;
  /** Only what the address says; the rest of the form stays as it is. */
  form: Partial<SearchFormValue>;
  /** What the address says that it cannot mean (ruling 6b). */
  unread: readonly UnreadPart[];
}

/** What an address is read against. A list of destinations that could not be had, null, refuses no place. */
export interface AddressLists {
  airports: readonly Airport[];
  destinations: DestinationIndex | null;
}

/**
 * Reads an address against the lists and the calendar. A part that is not there takes the data layer's default
 * (Section 9). A place or an airport that is not listed, and a day that cannot be departed on, are missing from
 * the search, and nothing may be asked: see `preventsSearch`.
 */
export function openAddress(address: SearchAddress, lists: AddressLists, today: CalendarDate): OpenedAddress {
  const { destination: place, from, boardBasis, starRating, sortBy, perPage, page } = address;
  const unread: UnreadPart[] = [];
  const destination =
    place && (lists.destinations === null ? place : findDestination(lists.destinations, place));
  if (place && !destination) unread.push({ part: 'place', text: placeName(place) });

  const departureAirport = (from && findAirportSelection(lists.airports, from)) || null;
  if (from && !departureAirport) unread.push({ part: 'from', text: from });

  const date = address.date && isInDepartureWindow(address.date, today) ? address.date : null;
  if (address.date && !date) unread.push({ part: 'date', text: address.date });
  unread.push(...address.unread);

  const says = (part: UnreadPart['part']) => unread.some((each) => each.part === part);
  const runs = destination !== null && departureAirport !== null && !preventsSearch(unread);
  const search: HolidaySearch = {
    destination,
    departureAirport,
    date: date ?? (says('date') ? null : defaultSearchDate(today)),
    duration: address.duration ?? DEFAULT_DURATION,
    boardBasis,
    starRating,
    sortBy,
    perPage,
    page,
  };
  return {
    search,
    unread,
    form: {
      ...(place && {
        destination: destination && { label: destinationLabel(destination), tuple: destination },
      }),
      ...(from && { departureAirport }),
      // Without one the form shows tomorrow.
      ...((runs || date || says('date')) && { date: runs ? search.date : date }),
      ...((runs || address.duration || says('nights')) && { duration: search.duration }),
    },
  };
}

/** Whether an address says what no search can be made of; all else has a default to go on with. */
export function preventsSearch(unread: readonly UnreadPart[]): boolean {
  return unread.some(({ part }) => part === 'place' || part === 'from' || part === 'date');
}

/** What the form can show of an address before the lists are known. */
export function readForm({ destination, date, duration }: SearchAddress): Partial<SearchFormValue> {
  return {
    ...(destination && { destination: { label: destinationLabel(destination), tuple: destination } }),
    ...(date && { date }),
    ...(duration && { duration }),
  };
}
