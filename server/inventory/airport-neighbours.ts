import { type Airport, expandAirport } from '../../domain/airport.ts';

export type AirportNeighbours = (code: string) => ReadonlySet<string>;

/** The airports in an airport's regions, including itself, from the list of departure airports. */
export function airportNeighbours(airports: readonly Airport[]): AirportNeighbours {
  const regions = airports.filter(({ isRegion }) => isRegion).map((region) => expandAirport(region));
  return (code) => new Set([code, ...regions.filter((codes) => codes.includes(code)).flat()]);
}
