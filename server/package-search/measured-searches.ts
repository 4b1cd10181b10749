import { boundedCache } from '../lib/bounded-cache.ts';
import type { Collapse, OfferFilters, PricesPer } from './package-repository.ts';
import { unitsOfTime } from './search-cost.ts';

/** Milliseconds of the processor that a search may take before those like it leave the main thread. */
const MOST_MS = 20;

/** Kinds of searches that are remembered; at most twice as many. */
const REMEMBERED = 5_000;

/** What searches are alike by. */
type Query = OfferFilters & { collapse?: Collapse; per?: PricesPer };

/**
 * Remembers what searches that took long have cost. The cost of a request is worked out from what it asks for, and does not
 * know that a place has a hundred thousand hotels: the first search finds out, and those like it are worked out by it.
 */
export interface MeasuredSearches {
  /** The units that searches like these have cost, if it was too much for the main thread; else 0. */
  unitsOf(queries: readonly Query[]): number;
  /** Runs a search, and notes what it costs. Returns what it has found, and the milliseconds of the processor. */
  measure<T>(queries: readonly Query[], search: () => Promise<T>): Promise<{ found: T; ms: number }>;
  /** Notes what a search has cost in another thread, in milliseconds of the processor. */
  note(queries: readonly Query[], ms: number): void;
}

/** `threadMs`: milliseconds of the processor that this thread has used, so that a busy machine makes no search larger. */
export function measuredSearches(threadMs: () => number = threadTime): MeasuredSearches {
  const large = boundedCache<string, number>(REMEMBERED);

  function note(queries: readonly Query[], ms: number): void {
    for (const kind of new Set(queries.map(kindOf))) {
      if (ms > MOST_MS) large.set(kind, ms);
      else large.delete(kind);
    }
  }

  return {
    unitsOf: (queries) => unitsOfTime(Math.max(0, ...queries.map((query) => large.get(kindOf(query)) ?? 0))),
    async measure(queries, search) {
      const from = threadMs();
      const found = await search();
      const ms = threadMs() - from;
      note(queries, ms);
      return { found, ms };
    },
    note,
  };
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Alike are searches of the same places for the same party, with alike numbers of airports and days. */
function kindOf(query: Query): string {
  const { countries, regions, resorts, party, nights, airports, firstDay, lastDay, collapse, per } = query;
  const days = Math.max(0, lastDay - firstDay);
  const many = Math.clz32(airports.length);
  return [countries, regions, resorts, party, nights, many, days, collapse, per].join(' ');
}
