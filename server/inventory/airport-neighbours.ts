import { type Airport, expandAirport } from '../../domain/airport.ts';

/** The codes of the airports in the same regions as an airport, including that airport. */
export type AirportNeighbours = (code: string) => ReadonlySet<string>;

/** Neighbours by the regions of the departure-airport list. An airport without a region has only itself. */
export function airportNeighbours(airports: readonly Airport[]): AirportNeighbours {
  const regions = airports.filter(({ isRegion }) => isRegion).map((region) => expandAirport(region));
  return (code) => new Set([code, ...regions.filter((codes) => codes.includes(code)).flat()]);
}
