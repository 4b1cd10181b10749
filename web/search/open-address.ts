import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { type CalendarDate, defaultSearchDate, isInDepartureWindow } from '../../domain/calendar-date.ts';
import { placeName } from '../../domain/destination.ts';
import { type DestinationIndex, destinationLabel } from '../../domain/destination-index.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { findDestination } from '../../domain/find-destination.ts';
import { DEFAULT_PARTY, isDefaultParty, isSoldTo, type Party, partyWords } from '../../domain/party.ts';
import type { HolidaySearch, SearchAddress, UnreadPart } from './search-address.ts';
import type { SearchFormValue } from './search-form-value.ts';

/** The search of an address, and what the form shows of it. */
export interface OpenedAddress {
  /** Parts that could not be read are missing or have their defaults. */
  search: HolidaySearch;
  /** Only the parts in the address; the rest of the form stays unchanged. */
  form: Partial<SearchFormValue>;
  /** The parts of the address that could not be read (ruling 6b). */
  unread: readonly UnreadPart[];
}

/**
 * What an address is checked against. Without destinations (null), every place is accepted. Two adults are always sold
 * to; `parties` are empty where the server says nothing of others.
 */
export interface AddressLists {
  airports: readonly Airport[];
  destinations: DestinationIndex | null;
  parties: readonly Party[];
}

/**
 * Checks an address against the lists and the calendar. A missing part gets the data layer's default (Section 9). An
 * unlisted place or airport and a day outside the departure window are left out, and prevent the search: see
 * `preventsSearch`.
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

  const party = isSoldTo(lists.parties, address.party) ? address.party : DEFAULT_PARTY;
  if (party !== address.party) unread.push({ part: 'party', text: partyWords(address.party) });

  const says = (part: UnreadPart['part']) => unread.some((each) => each.part === part);
  const runs = destination !== null && departureAirport !== null && !preventsSearch(unread);
  const search: HolidaySearch = {
    destination,
    departureAirport,
    date: date ?? (says('date') ? null : defaultSearchDate(today)),
    duration: address.duration ?? DEFAULT_DURATION,
    party,
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
      // Without a date the form shows tomorrow.
      ...((runs || date || says('date')) && { date: runs ? search.date : date }),
      ...((runs || address.duration || says('nights')) && { duration: search.duration }),
      ...((runs || !isDefaultParty(address.party)) && { party }),
    },
  };
}

/** Whether an unread part prevents the search. All other parts have defaults. */
export function preventsSearch(unread: readonly UnreadPart[]): boolean {
  return unread.some(({ part }) => part === 'place' || part === 'from' || part === 'date');
}

/** What the form can show of an address before the lists are loaded. */
export function readForm(
  { destination, date, duration, party }: SearchAddress,
  parties: readonly Party[],
): Partial<SearchFormValue> {
  return {
    ...(destination && { destination: { label: destinationLabel(destination), tuple: destination } }),
    ...(date && { date }),
    ...(duration && { duration }),
    ...(!isDefaultParty(party) && isSoldTo(parties, party) && { party }),
  };
}
