import { parseCsv } from './csv.ts';

/** Alternative names of places. The keys are the location list's names: `{ Turkey: ['Türkiye'] }`. */
export type OtherNames = Record<string, string[]>;

const COLUMNS = ['place', 'other_name'] as const;

/**
 * Parses alternative names from CSV with a header (`place`, `other_name`). Skips rows that lack either.
 * Throws an Error that names missing columns.
 */
export function parseOtherNames(csvText: string): OtherNames {
  const [header = [], ...rows] = parseCsv(csvText);
  const names = header.map((name) => name.trim().toLowerCase());
  const missing = COLUMNS.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw new Error(`The list of other names has no column named ${missing.join(' or ')} in its header row`);
  }
  const otherNames = new Map<string, Set<string>>();
  for (const row of rows) {
    const [place = '', other = ''] = COLUMNS.map((column) => row[names.indexOf(column)]?.trim() ?? '');
    if (place === '' || other === '') continue;
    otherNames.set(place, (otherNames.get(place) ?? new Set()).add(other));
  }
  return Object.fromEntries([...otherNames].map(([place, others]) => [place, [...others]]));
}
