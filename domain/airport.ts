import { parseCsv } from './csv.ts';
import { lazy } from './lazy.ts';

/** An entry of the departure-airport list: a region's own entry, or an airport (Section 3). */
export interface Airport {
  /** Unique in the list, even for an airport that is in two regions. */
  id: string;
  name: string;
  code: string;
  isRegion: boolean;
  childAirports?: readonly { code: string }[];
  /** The code of its region, because two regions may have the same name. */
  parentRegion?: string;
  /** A region's position among the regions in the file, counted from 0. */
  order?: number;
}

/** A heading of the airport field with its airports. Null stands for 'Other airports'. */
export interface AirportGroup {
  heading: Airport | null;
  airports: Airport[];
}

interface Region extends Airport {
  isRegion: true;
  childAirports: { code: string }[];
  order: number;
}

const REGION_KEY = 'region:';
const collator = lazy(() => new Intl.Collator('en-GB'));

/**
 * Parses the departure airports from CSV without a header: name, code, and `1` for a region, whose airports
 * follow. Returns regions in file order, then airports by name (Section 3). Skips rows without a name or a
 * code, and duplicates.
 */
export function parseAirports(csvText: string): Airport[] {
  const regions = new Map<string, Region>();
  const airports = new Map<string, Airport>();
  let region: Region | undefined;
  for (const row of parseCsv(csvText)) {
    const [name = '', code = '', flag = ''] = row.map((cell) => cell.trim());
    if (name === '' || code === '') continue;
    if (flag === '1') {
      region = regions.get(code) ?? regionEntry(name, code, regions.size);
      regions.set(code, region);
    } else {
      addAirport(airports, name, code, region);
    }
  }
  return [...regions.values(), ...[...airports.values()].sort(byName)];
}

/** The airports under their regions' headings, in list order. Airports without a region come last. */
export function groupAirports(airports: readonly Airport[]): AirportGroup[] {
  const groups: AirportGroup[] = airports
    .filter((airport) => airport.isRegion)
    .map((heading) => ({ heading, airports: airports.filter((each) => each.parentRegion === heading.code) }));
  const others = airports.filter((airport) => !airport.isRegion && airport.parentRegion === undefined);
  return others.length === 0 ? groups : [...groups, { heading: null, airports: others }];
}

/** The distinct airport codes of a selection (Section 7). */
export function expandAirport(selection: Airport): string[] {
  if (!selection.isRegion) return [selection.code];
  return [...new Set((selection.childAirports ?? []).map(({ code }) => code))];
}

/** Whether `airport` is the selection itself or belongs to the selected region. */
export function isAirportSelected(airport: Airport, selection: Airport | null): boolean {
  if (selection === null) return false;
  if (airport.isRegion) return selection.isRegion && selection.code === airport.code;
  return expandAirport(selection).includes(airport.code);
}

/** The airport's name, or its code if it is not on the list (Section 2). */
export function airportName(airports: readonly Airport[], code: string): string {
  return airports.find((airport) => !airport.isRegion && airport.code === code)?.name ?? code;
}

/** The selection in a URL: 'LGW', or 'region:LON' because a region may have an airport's code. */
export function airportSelectionKey(selection: Airport): string {
  return selection.isRegion ? REGION_KEY + selection.code : selection.code;
}

/** The selection with a key, ignoring case. */
export function findAirportSelection(airports: readonly Airport[], key: string): Airport | undefined {
  const wanted = key.trim().toLowerCase();
  return airports.find((airport) => airportSelectionKey(airport).toLowerCase() === wanted);
}

function regionEntry(name: string, code: string, order: number): Region {
  return { id: REGION_KEY + code, name, code, isRegion: true, childAirports: [], order };
}

function addAirport(
  airports: Map<string, Airport>,
  name: string,
  code: string,
  region: Region | undefined,
): void {
  if (region?.childAirports.some((child) => child.code === code)) return;
  if (region === undefined && airports.has(code)) return;
  region?.childAirports.push({ code });
  const id = airports.has(code) && region !== undefined ? `${code}@${region.code}` : code;
  airports.set(id, {
    id,
    name,
    code,
    isRegion: false,
    ...(region === undefined ? {} : { parentRegion: region.code }),
  });
}

function byName(one: Airport, other: Airport): number {
  return collator().compare(one.name, other.name) || collator().compare(one.id, other.id);
}
