import { useMemo } from 'react';
import { useSearch } from 'wouter/use-browser-location';
import { type Airport, findAirportSelection } from '../../domain/airport.ts';
import { DEFAULT_PARTY, isSoldTo, partyWords } from '../../domain/party.ts';
import { useSearchContext } from '../search/search-context.tsx';
import { goTo } from '../ui/dialog-history.ts';
import {
  type ExploreAddress,
  type ExploreChoice,
  parseExploreAddress,
  toExploreAddress,
} from './explore-address.ts';

export interface ChosenExplore extends ExploreAddress {
  /** The airport or region of `from`; null: none, an unknown one, or the list is not loaded. */
  airport: Airport | null;
}

/** The choice in the address, checked against the settings and the list of airports. */
export function useExploreChoice(): ChosenExplore {
  const { config, state, today } = useSearchContext();
  const query = useSearch({ ssrSearch: '' });
  const address = useMemo(() => parseExploreAddress(query, today), [query, today]);
  const { airports } = state;
  return useMemo(() => {
    const notes = [...address.notes];
    const list = airports.status === 'stored' ? airports.value : [];
    const airport = (address.from !== null && findAirportSelection(list, address.from)) || null;
    if (address.from !== null && airport === null && airports.status === 'stored') {
      notes.unshift(`‘${address.from}’ is not a departure airport that we know: choose one.`);
    }
    const isSold = isSoldTo(config.parties, address.party);
    if (!isSold) {
      notes.push(`We have no prices for ${partyWords(address.party)}. These are for 2 adults.`);
    }
    return { ...address, airport, party: isSold ? address.party : DEFAULT_PARTY, notes };
  }, [address, airports, config.parties]);
}

/** Goes to the address of a choice. */
export function showChoice(choice: ExploreChoice, options: { replace?: boolean } = {}): void {
  goTo(toExploreAddress(choice), options);
}
