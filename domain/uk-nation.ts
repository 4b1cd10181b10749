/** The parts of the UK with their own school holidays. England's and Wales's are alike. */
export type UkNation = 'england-wales' | 'scotland' | 'northern-ireland';

/** IATA codes of airports outside England and Wales with scheduled or charter departures. */
const SCOTLAND = new Set(['ABZ', 'DND', 'EDI', 'GLA', 'INV', 'KOI', 'LSI', 'PIK', 'SYY']);
const NORTHERN_IRELAND = new Set(['BFS', 'BHD', 'LDY']);

/** The nation of a departure airport. Any other code counts as England and Wales. */
export function nationOfAirport(code: string): UkNation {
  if (SCOTLAND.has(code)) return 'scotland';
  return NORTHERN_IRELAND.has(code) ? 'northern-ireland' : 'england-wales';
}
