import { hash } from 'node:crypto';
import { boundedCache } from '../lib/bounded-cache.ts';
import { threadTime } from '../lib/thread-time.ts';
import type { Collapse, OfferFilters, PackageQuery, PricesPer } from './package-repository.ts';
import { unitsOfTime } from './search-cost.ts';
import { isLongWindow } from './search-engine.ts';

/** Milliseconds of the processor that the searches of a request may take before those like them leave the main thread. */
const MOST_MS = 20;

/** Packages that they may look through there if their kinds have not been measured yet. */
const MOST_PACKAGES = 10_000;

/** Milliseconds that searches of more packages are taken to cost, until they have been measured. */
const LARGE_MS = 2 * MOST_MS;

/**
 * How much of what a kind of searches has cost is believed after a cheaper one: with a filter, or in other months, a search
 * like it may find next to nothing.
 */
const KEPT = 0.95;

/** Kinds of searches that are remembered; at most twice as many. */
const REMEMBERED = 5_000;

/** What searches are alike by. */
type Query = OfferFilters & {
  sort?: PackageQuery['sort'];
  collapse?: Collapse;
  ties?: PackageQuery['ties'];
  per?: PricesPer;
};

/** Counts what a search has to look through, up to a limit, in less time than the search takes. */
type CountPackages<Q> = (query: Q, most: number) => Promise<number>;

/**
 * Remembers what searches have cost. The cost that is worked out from the text of a request does not show that a place
 * has a hundred thousand hotels. What a search really costs is taken from earlier searches like it; without any, its
 * packages are counted.
 */
export interface MeasuredSearches {
  /**
   * The units of these searches if their request is too large for the main thread; else nothing. `parts`: how many times as
   * much as these it asks for in all, so that many small searches in one request do not count as small.
   */
  unitsOf<Q extends Query>(queries: readonly Q[], count: CountPackages<Q>, parts?: number): Promise<number>;
  /**
   * Runs a search that waits for nothing but this thread, after those before it, and notes what it costs. Returns what it
   * has found, and the milliseconds of the processor.
   */
  measure<T>(query: Query, search: () => Promise<T>): Promise<{ found: T; ms: number }>;
  /** Notes what a search has cost in another thread, in milliseconds of the processor. */
  note(query: Query, ms: number): void;
}

/** `threadMs`: milliseconds of the processor that this thread has used, so that a busy machine makes no search larger. */
export function measuredSearches(threadMs: () => number = threadTime): MeasuredSearches {
  const costs = boundedCache<string, number>(REMEMBERED);

  /** The most that a search of each kind of a few days has cost on any of its days. */
  const mostOnAnyDay = boundedCache<string, number>(REMEMBERED);

  /** The search that runs: those of one request would else be measured together. */
  let last: Promise<unknown> = Promise.resolve();

  function note(query: Query, ms: number): void {
    const kind = kindOf(query);
    costs.set(kind, Math.max(ms, KEPT * (costs.get(kind) ?? 0)));
    const ofAnyDay = anyDayKindOf(query);
    mostOnAnyDay.set(ofAnyDay, Math.max(ms, mostOnAnyDay.get(ofAnyDay) ?? 0));
  }

  /** Undefined if that is not known. Another day tells only where none has been large: to count takes time, too. */
  function costOf(query: Query): number | undefined {
    const known = costs.get(kindOf(query));
    if (known !== undefined || isLongWindow(query)) return known;
    const most = mostOnAnyDay.get(anyDayKindOf(query)) ?? Number.POSITIVE_INFINITY;
    return most > MOST_MS ? undefined : most;
  }

  return {
    async unitsOf(queries, count, parts = 1) {
      let ms = 0;
      let packages = 0;
      for (const query of queries) {
        const known = costOf(query);
        if (known === undefined) packages += await count(query, MOST_PACKAGES + 1);
        else ms += known;
        if (packages * parts > MOST_PACKAGES) return unitsOfTime(ms + LARGE_MS);
      }
      return ms * parts > MOST_MS ? unitsOfTime(ms) : 0;
    },
    measure(query, search) {
      const measured = last.then(async () => {
        const from = threadMs();
        const found = await search();
        const ms = threadMs() - from;
        note(query, ms);
        return { found, ms };
      });
      last = measured.catch(() => {});
      return measured;
    },
    note,
  };
}

/** The longest name of a kind that is kept as it is: a request may name two hundred airports. */
const LONGEST_KIND = 100;

/**
 * Alike are searches of the same places for the same party that look through alike numbers of packages. Of a few days
 * these are only those of the same days and airports: one day of a place may have a thousand times the packages of
 * another. Of long windows, there would be hundreds of such kinds to a place; alike numbers of days will do. By date they
 * cost more than by price: the packages of a day are read.
 */
export function kindOf(query: Query): string {
  const { airports, firstDay, lastDay, sort } = query;
  const breadth = isLongWindow(query)
    ? [Math.clz32(lastDay - firstDay), sort]
    : [firstDay, lastDay, airports];
  const kind = [anyDayKindOf(query), ...breadth].join(' ');
  return kind.length > LONGEST_KIND ? hash('sha256', kind, 'base64') : kind;
}

/** The kind without its days: searches for as many days of the same places, from alike numbers of airports. */
function anyDayKindOf(query: Query): string {
  const { countries, regions, resorts, places, party, nights, airports, firstDay, lastDay } = query;
  const { collapse, ties, per } = query;
  const place = places?.digest ?? [countries, regions, resorts].join(' ');
  const days = isLongWindow(query) ? 'many' : Math.max(0, lastDay - firstDay);
  return [place, party, nights, Math.clz32(airports.length), days, collapse, ties, per].join(' ');
}
