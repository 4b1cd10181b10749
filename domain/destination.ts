import { parseCsv } from './csv.ts';

/** Country, region and resort. Levels that are not specified are blank (Section 2). */
export type DestinationTuple = readonly [country: string, region: string, resort: string];

/** One row of the location list (Section 3). */
export interface Destination {
  country: string;
  region: string;
  resort: string;
  code: string;
}

/** An option of the destination field: a country, a region or a resort. */
export interface DestinationOption {
  kind: 'country' | 'region' | 'resort';
  label: string;
  tuple: DestinationTuple;
}

const COLUMNS = ['country', 'region', 'resort'] as const;

/** The specified levels, smallest first: 'Benidorm, Costa Blanca, Spain'. Says equal names once: 'Prague, Czechia'. */
export function placeName([country, region, resort]: DestinationTuple): string {
  return [...new Set([resort, region, country])].filter(Boolean).join(', ');
}

/** 'Benidorm'. */
export function shortName([country, region, resort]: DestinationTuple): string {
  return resort || region || country;
}

/** 'palma-nova-majorca-spain': resort-region-country in lower case, hyphens for white space (Section 3). */
export function destinationCode(country: string, region: string, resort: string): string {
  return `${resort}-${region}-${country}`.replace(/\s+/g, '-').toLowerCase();
}

/**
 * Parses the location list from CSV with a header (`country`, `region`, `resort`). Skips rows without a
 * country, and later rows that differ only in case. Throws an Error that names missing columns.
 */
export function parseDestinations(csvText: string): Destination[] {
  const [header, ...rows] = parseCsv(csvText);
  const columns = locateColumns(header ?? []);
  const destinations = new Map<string, Destination>();
  for (const row of rows) {
    if (row.length <= Math.max(...columns)) continue;
    const [country = '', region = '', resort = ''] = columns.map((column) => tidy(row[column] ?? ''));
    const code = destinationCode(country, region, resort);
    if (country !== '' && !destinations.has(code)) {
      destinations.set(code, { country, region, resort, code });
    }
  }
  return [...destinations.values()];
}

function locateColumns(header: readonly string[]): number[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const missing = COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw new Error(`The location list has no column named ${missing.join(' or ')} in its header row`);
  }
  return COLUMNS.map((column) => names.indexOf(column));
}

function tidy(cell: string): string {
  return cell.trim().replace(/\s+/g, ' ');
}
