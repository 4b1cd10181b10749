import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Airport } from '../../../domain/airport.ts';
import { parseCsv } from '../../../domain/csv.ts';
import { readReference } from '../../inventory/reference-files.ts';
import type { ExtraAirport } from './holiday-providers.ts';

export type FeedAirports = ReturnType<typeof feedAirports>;

const MORE_AIRPORTS = join(import.meta.dirname, 'reference/airports.csv');

/** The time zone of a departure airport that is on no other list. */
const HOME = 'Europe/London';

/**
 * The airports that a feed may use: departures that visitors can choose, and any known arrival. `departures` is
 * the list for visitors; `added` comes from providers.json and takes precedence.
 */
export function feedAirports(departures: readonly Airport[], added: readonly ExtraAirport[]) {
  const leaving = departures.filter(({ isRegion }) => !isRegion);
  const codes = new Set(leaving.map(({ code }) => code));
  const airports = new Map<string, ExtraAirport>(
    leaving.map(({ code, name }) => [code, { code, name, timezone: HOME }]),
  );
  for (const { iata, name, timezone } of readReference().airports) {
    airports.set(iata, { code: iata, name: airports.get(iata)?.name ?? name, timezone });
  }
  for (const [code = '', name = '', timezone = ''] of parseCsv(readFileSync(MORE_AIRPORTS, 'utf8')).slice(
    1,
  )) {
    if (timezone !== '') airports.set(code, { code, name, timezone });
  }
  for (const airport of added) airports.set(airport.code, airport);
  return { isDeparture: (code: string) => codes.has(code), find: (code: string) => airports.get(code) };
}
