import * as v from 'valibot';
import { type CalendarDate, isInDepartureWindow } from '../../domain/calendar-date.ts';
import { formatLongDate } from '../../domain/day-words.ts';
import { destinationLabel } from '../../domain/destination-index.ts';
import { daysWords, nightsWords, orWords } from '../../domain/flexibility.ts';
import { isDefaultParty, partyWords } from '../../domain/party.ts';
import type { OfflineCache } from '../data/keepable.ts';
import { type HolidaySearch, parseSearchUrl, toSearchUrl } from './search-url.ts';

/** A search made on this device. */
export interface RecentSearch {
  address: string;
  place: string;
  details: string;
}

const KEY = 'skylark.recent-searches';
/** As many as the responses that are kept for use offline. */
const MAX_STORED = 10;
const MAX_LENGTH = 2_000;

const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_LENGTH));
const Stored = v.array(
  v.object({ address: v.pipe(text, v.startsWith('/results?')), place: text, details: text }),
);

/** The stored searches, newest first, without those whose departure has passed. */
export function parseRecentSearches(stored: string | null, today: CalendarDate): RecentSearch[] {
  if (stored === null) return [];
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Stored), stored);
  if (!parsed.success) return [];
  return parsed.output.slice(0, MAX_STORED).filter(({ address }) => {
    const { date } = parseSearchUrl(address.slice('/results'.length));
    return date !== null && isInDepartureWindow(date, today);
  });
}

/** The stored text; null if there is none or storage is blocked. */
export function readStored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Stores a search on this device, replacing an equal one. Does nothing if storage is blocked. */
export function saveRecentSearch(search: HolidaySearch, today: CalendarDate): void {
  const { destination, departureAirport, date, duration, party, flexibility } = search;
  if (destination === null || departureAirport === null || date === null) return;
  const recent: RecentSearch = {
    address: toSearchUrl({ ...search, page: 1 }),
    place: orWords([destination, ...flexibility.places].map(destinationLabel)),
    details: [
      departureAirport.name,
      formatLongDate(date) + daysWords(flexibility),
      nightsWords(duration, flexibility),
      ...(isDefaultParty(party) ? [] : [partyWords(party)]),
    ].join(', '),
  };
  const before = parseRecentSearches(readStored(), today).filter(
    ({ place, details }) => [place, details].join() !== [recent.place, recent.details].join(),
  );
  try {
    localStorage.setItem(KEY, JSON.stringify([recent, ...before].slice(0, MAX_STORED)));
  } catch {
    // Storage is full or blocked; the search works without it.
  }
}

/** Removes the searches from this device, with their kept responses. */
export function clearRecentSearches(): void {
  try {
    localStorage.removeItem(KEY);
    void caches.delete('skylark-responses' satisfies OfflineCache).catch(() => {});
    void caches.delete('skylark-hotels').catch(() => {});
  } catch {
    // Blocked storage has nothing to clear.
  }
}
