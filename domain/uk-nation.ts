/** The parts of the UK with school holidays of their own. Those of England and Wales are alike. */
export type UkNation = 'england-wales' | 'scotland' | 'northern-ireland';

/** IATA codes of the airports with scheduled or charter departures outside England and Wales. */
const SCOTLAND = new Set(['ABZ', 'DND', 'EDI', 'GLA', 'INV', 'KOI', 'LSI', 'PIK', 'SYY']);
const NORTHERN_IRELAND = new Set(['BFS', 'BHD', 'LDY']);

/** The nation of a departure airport. Any other code counts as England and Wales. */
export function nationOfAirport(code: string): UkNation {
  if (SCOTLAND.has(code)) return 'scotland';
  return NORTHERN_IRELAND.has(code) ? 'northern-ireland' : 'england-wales';
}
