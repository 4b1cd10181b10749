import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { type CalendarDate, defaultSearchDate, isInDepartureWindow } from '../../domain/calendar-date.ts';
import { type DestinationTuple, placeName } from '../../domain/destination.ts';
import { type DestinationIndex, destinationLabel } from '../../domain/destination-index.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { findDestination } from '../../domain/find-destination.ts';
import { isFlexible, MAX_FURTHER_PLACES, NO_FLEXIBILITY } from '../../domain/flexibility.ts';
import { isDefaultParty, isSoldTo, nearestParty, type Party, partyWords } from '../../domain/party.ts';
import type { SearchFormValue } from './search-form-value.ts';
import type { HolidaySearch, SearchUrl, UnreadPart } from './search-url.ts';

/** The search in a URL, and the values that the form takes from it. */
export interface OpenedUrl {
  /** Invalid parts are missing or have their defaults. */
  search: HolidaySearch;
  /** Only the parts in the URL; the rest of the form stays unchanged. */
  form: Partial<SearchFormValue>;
  /** The invalid parts of the URL. */
  unread: readonly UnreadPart[];
}

/** What a URL is checked against. Without destinations every place is accepted. Two adults are always allowed. */
export interface UrlLists {
  airports: readonly Airport[];
  destinations: DestinationIndex | null;
  parties: readonly Party[];
  /** Whether the server accepts flexible searches and further filters. */
  facets: boolean;
}

/**
 * Checks a URL against the lists and the calendar. Missing parts get the data layer's defaults (Section 9). Unlisted
 * places and airports, and days outside the departure window, are omitted and prevent the search.
 */
export function openUrl(url: SearchUrl, lists: UrlLists, today: CalendarDate): OpenedUrl {
  const { destination: place, from, boardBasis, starRating, sortBy, perPage, page } = url;
  const unread: UnreadPart[] = [];
  const listed = (named: DestinationTuple) => {
    const found = lists.destinations === null ? named : findDestination(lists.destinations, named);
    if (found === null) unread.push({ part: 'place', text: placeName(named) });
    return found;
  };
  const destination = place && listed(place);
  const isExact = isFlexible(url.flexibility) && !lists.facets;
  if (isExact) unread.push({ part: 'exact', text: '' });
  const places = url.flexibility.places.slice(0, MAX_FURTHER_PLACES);
  const flexibility = isExact
    ? NO_FLEXIBILITY
    : { ...url.flexibility, places: places.map(listed).filter((each) => each !== null) };

  const departureAirport = (from && findAirportSelection(lists.airports, from)) || null;
  if (from && !departureAirport) unread.push({ part: 'from', text: from });

  const date = url.date && isInDepartureWindow(url.date, today) ? url.date : null;
  if (url.date && !date) unread.push({ part: 'date', text: url.date });
  unread.push(...url.unread);

  const isUnfiltered = Object.keys(url.refine).length > 0 && !lists.facets;
  if (isUnfiltered) unread.push({ part: 'filters', text: '' });
  const refine = isUnfiltered ? {} : url.refine;

  const party = isSoldTo(lists.parties, url.party) ? url.party : nearestParty(lists.parties, url.party);
  if (party !== url.party) unread.push({ part: 'party', text: partyWords(url.party) });

  const isUnread = (part: UnreadPart['part']) => unread.some((each) => each.part === part);
  const runs = destination !== null && departureAirport !== null && !preventsSearch(unread);
  const search: HolidaySearch = {
    destination,
    departureAirport,
    date: date ?? (isUnread('date') ? null : defaultSearchDate(today)),
    duration: url.duration ?? DEFAULT_DURATION,
    party,
    flexibility,
    boardBasis,
    starRating,
    refine,
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
      ...((runs || date || isUnread('date')) && { date: runs ? search.date : date }),
      ...((runs || url.duration || isUnread('nights')) && { duration: search.duration }),
      ...((runs || !isDefaultParty(url.party)) && { party }),
      ...((runs || isFlexible(flexibility)) && { flexibility }),
    },
  };
}

/** Whether an invalid part prevents the search. Other parts have defaults. */
export function preventsSearch(unread: readonly UnreadPart[]): boolean {
  return unread.some(({ part }) => part === 'place' || part === 'from' || part === 'date');
}

/** What the form can show of a URL before the lists are loaded. */
export function readForm(
  { destination, date, duration, party }: SearchUrl,
  parties: readonly Party[],
): Partial<SearchFormValue> {
  return {
    ...(destination && { destination: { label: destinationLabel(destination), tuple: destination } }),
    ...(date && { date }),
    ...(duration && { duration }),
    ...(!isDefaultParty(party) && isSoldTo(parties, party) && { party }),
  };
}
