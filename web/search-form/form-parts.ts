// Loaded as one file: see form-code.ts.

export { namedAirport } from '../../domain/airport-search.ts';
export { matchDestinations } from '../../domain/destination-search.ts';
export { namedDestination } from '../../domain/named-destination.ts';
export { DepartureCalendar } from '../search/DepartureCalendar.tsx';
export { AirportSectionList } from './AirportSectionList.tsx';
export { airportSections, chooseAirport, countAirports } from './airport-options.ts';
export { DestinationLabel } from './DestinationLabel.tsx';
export { FlexibleOptions } from './FlexibleOptions.tsx';
export { foundMessage } from './found-message.ts';

/** What to offer for a text typed as the destination; null: nothing. */
export function anywhereOffer(text: string): string | null {
  return /^any\s?where$/i.test(text.trim()) ? 'Going anywhere? Explore every place by price' : null;
}
