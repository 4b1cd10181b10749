// Bundled as one file: see use-list-search.ts.

export { namedAirport } from '../../domain/airport-search.ts';
export { matchDestinations } from '../../domain/destination-search.ts';
export { namedDestination } from '../../domain/named-destination.ts';
export { AirportSectionList } from './AirportSectionList.tsx';
export { airportSections, chooseAirport, countAirports } from './airport-options.ts';
export { anywhereOffer } from './anywhere-offer.ts';
export { DestinationLabel } from './DestinationLabel.tsx';
export { foundMessage } from './found-message.ts';
