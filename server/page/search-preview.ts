import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { parseCalendarDate } from '../../domain/calendar-date.ts';
import { formatPlainDate } from '../../domain/day-words.ts';
import type { Destination, DestinationTuple } from '../../domain/destination.ts';
import { parseDuration } from '../../domain/duration.ts';

/** The lists with the places and airports of search URLs. */
export interface PreviewLists {
  destinations: readonly Destination[];
  airports: readonly Airport[];
}

/**
 * Describes a search by its URL (docs/contracts/results-address.md): 'Majorca from London, 15 May 2027, 7
 * nights'. Null for an unknown place, because a link must not put its own words on our page.
 */
export function searchPreview(parameters: URLSearchParams, lists: PreviewLists): string | null {
  const given = (name: string) => parameters.get(name)?.trim() ?? '';
  const place = listedPlace([given('country'), given('region'), given('resort')], lists.destinations);
  if (place === null) return null;
  const airport = findAirportSelection(lists.airports, given('from'));
  const date = parseCalendarDate(given('date'));
  const nights = parseDuration(given('nights'));
  return [
    airport === undefined ? place : `${place} from ${airport.name}`,
    ...(date === null ? [] : [formatPlainDate(date)]),
    ...(nights === null ? [] : [`${nights} nights`]),
  ].join(', ');
}

/** The place's name as spelled in the list; null if the list lacks it. */
function listedPlace(given: DestinationTuple, destinations: readonly Destination[]): string | null {
  const [country, region, resort] = given.map((name) => name.toLowerCase());
  if (!country && !region && !resort) return null;
  const isSame = (listed: string, wanted: string | undefined) => !wanted || listed.toLowerCase() === wanted;
  const found = destinations.find(
    (one) => isSame(one.country, country) && isSame(one.region, region) && isSame(one.resort, resort),
  );
  if (found === undefined) return null;
  return (resort && found.resort) || (region && found.region) || found.country;
}
