import { type Airport, expandAirport } from '../../domain/airport.ts';

/** The airports that stand in a region with the given one, itself included, by code. */
export type AirportNeighbours = (code: string) => ReadonlySet<string>;

/** Neighbours by the regions of the departure-airport list; an airport of no region has only itself. */
export function airportNeighbours(airports: readonly Airport[]): AirportNeighbours {
  const regions = airports.filter(({ isRegion }) => isRegion).map((region) => expandAirport(region));
  return (code) => new Set([code, ...regions.filter((codes) => codes.includes(code)).flat()]);
}
