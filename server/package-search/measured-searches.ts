import { boundedCache } from '../lib/bounded-cache.ts';
import type { OfferFilters } from './package-repository.ts';

/** Rows that a search may read before those like it leave the main thread. */
const MOST_ROWS = 10_000;

/** Kinds of searches that are remembered; at most twice as many. */
const REMEMBERED = 5_000;

/**
 * Remembers which searches read too many rows for the main thread. The cost of a request is worked out from what it
 * asks for, and does not know that a place has a hundred thousand hotels: the first search finds out, and those like it go
 * to another thread.
 */
export interface LargeSearches {
  has(queries: readonly OfferFilters[]): boolean;
  note(queries: readonly OfferFilters[], rowsRead: number): void;
}

export function largeSearches(): LargeSearches {
  const large = boundedCache<string, true>(REMEMBERED);
  return {
    has: (queries) => queries.some((query) => large.get(kindOf(query)) === true),
    note(queries, rowsRead) {
      if (rowsRead > MOST_ROWS) for (const query of queries) large.set(kindOf(query), true);
    },
  };
}

/** Alike are searches of the same places for the same party, with alike numbers of airports and days. */
function kindOf({
  countries,
  regions,
  resorts,
  party,
  nights,
  airports,
  firstDay,
  lastDay,
}: OfferFilters): string {
  const days = Math.max(0, lastDay - firstDay);
  return [countries, regions, resorts, party, nights, Math.clz32(airports.length), days].join(' ');
}
