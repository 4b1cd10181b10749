import { useMemo } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { DEFAULT_PARTY, isSoldTo, partyWords } from '../../domain/party.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { goTo } from '../ui/dialog-history.ts';
import { type ExploreChoice, type ExploreUrl, parseExploreUrl, toExploreUrl } from './explore-url.ts';

export interface ChosenExplore extends ExploreUrl {
  /** The airport or region of `from`; null if it is missing or unknown, or the list is not loaded. */
  airport: Airport | null;
}

/** The choice in the URL, checked against the settings and the list of airports. */
export function useExploreChoice(): ChosenExplore {
  const { config, state, today } = useSearchContext();
  const query = useSearch({ ssrSearch: '' });
  const url = useMemo(() => parseExploreUrl(query, today), [query, today]);
  const { airports } = state;
  return useMemo(() => {
    const notes = [...url.notes];
    const list = airports.status === 'stored' ? airports.value : [];
    const airport = (url.from !== null && findAirportSelection(list, url.from)) || null;
    if (url.from !== null && airport === null && airports.status === 'stored') {
      notes.unshift(`‘${url.from}’ isn’t one of our departure airports. Choose another airport.`);
    }
    const isSold = isSoldTo(config.parties, url.party);
    if (!isSold) {
      notes.push(`We have no prices for ${partyWords(url.party)}. These are for 2 adults.`);
    }
    return { ...url, airport, party: isSold ? url.party : DEFAULT_PARTY, notes };
  }, [url, airports, config.parties]);
}

/** Goes to the URL of a choice. */
export function showChoice(choice: ExploreChoice, options: { replace?: boolean } = {}): void {
  goTo(toExploreUrl(choice), options);
}
