import { type Airport, parseAirports } from '../../domain/airport.ts';
import { addDays, type CalendarDate, todayInLondon } from '../../domain/calendar-date.ts';
import { type Destination, parseDestinations } from '../../domain/destination.ts';

/** What can be searched on a server. */
export interface World {
  key: string;
  brand: string;
  destinations: readonly Destination[];
  airports: readonly Airport[];
  /** Tomorrow, the first departure day that visitors can choose. */
  first: CalendarDate;
}

/** Reads what the page reads before a search. */
export async function readWorld(url: string): Promise<World> {
  const read = async (path: string) => (await fetch(url + path)).text();
  const config = JSON.parse(await read('/config.json')) as { searchApiKey: string; brandCode: string };
  return {
    key: config.searchApiKey,
    brand: config.brandCode,
    destinations: parseDestinations(await read('/data/locations.csv')),
    airports: parseAirports(await read('/data/departure-airports.csv')),
    first: addDays(todayInLondon(Date.now()), 1),
  };
}
