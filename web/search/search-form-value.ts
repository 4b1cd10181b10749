import type { DestinationTuple } from '../../domain/destination.ts';
import type { SearchTrip } from './search-url.ts';

/** The values of the search form; null for what is not chosen. */
export interface SearchFormValue extends Omit<SearchTrip, 'destination'> {
  destination: { label: string; tuple: DestinationTuple } | null;
}
