import { type Airport, airportSelectionKey } from '../../domain/airport.ts';
import type { Party } from '../../domain/party.ts';
import { partyParameters } from '../search/party-parameters.ts';

/** A link to Explore with the form's airport and party. Absent where the server does not compare places (ruling 17). */
export function ExploreLink({ airport, party }: { airport: Airport | null; party: Party }) {
  const from = airport === null ? [] : [['from', airportSelectionKey(airport)]];
  const query = String(new URLSearchParams([...from, ...partyParameters(party)]));
  return <a href={query === '' ? '/explore' : `/explore?${query}`}>Explore by price</a>;
}
