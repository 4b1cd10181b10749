import { airportSelectionKey } from '../../domain/airport.ts';
import { DEFAULT_DURATION } from '../../domain/duration.ts';
import { partyParameters } from '../../domain/party-parameters.ts';
import type { SearchFormValue } from '../search/search-form-value.ts';

/** A link to Explore with the form's airport, month, nights and party, if they are chosen. */
export function ExploreLink({
  departureAirport,
  date,
  duration,
  party,
  words = 'Explore by price',
}: SearchFormValue & { words?: string }) {
  const chosen: [string, string][] = [];
  if (departureAirport !== null) chosen.push(['from', airportSelectionKey(departureAirport)]);
  if (date !== null) chosen.push(['when', date.slice(0, 'YYYY-MM'.length)]);
  if (date !== null || duration !== DEFAULT_DURATION) chosen.push(['nights', String(duration)]);
  const query = String(new URLSearchParams([...chosen, ...partyParameters(party)]));
  return <a href={query === '' ? '/explore' : `/explore?${query}`}>{words}</a>;
}
