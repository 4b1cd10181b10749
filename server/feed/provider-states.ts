import { dayNumber, todayInLondon } from '../../domain/calendar-date.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { attemptedProviders, type FeedState, recentAttempts, stateOf } from './attempts/attempt-table.ts';
import type { FeedBlock } from './map/feed-block.ts';
import type { HolidayProvider } from './map/holiday-providers.ts';
import { nextScheduled } from './next-work.ts';
import { type LastImport, readLastImports } from './write/store-notes.ts';

const MINUTE_MS = 60_000;

/** A missed run is late after a quarter of its interval, but not while the first retries are due. */
const MIN_LATE_MS = 90 * MINUTE_MS;
const MAX_LATE_MS = 6 * 60 * MINUTE_MS;

/** How a provider is doing that providers.json lists, or that has packages in the store. */
export interface ProviderState {
  provider: string;
  isListed: boolean;
  /** Null: no attempt. */
  feed: FeedState | null;
  /** Null: the store has none of its packages. */
  last: LastImport | null;
  /** When its packages last matched its feed, even if they have been withdrawn since; null: never. */
  matchedAt: number | null;
  /** When its feed counts as late; null: unknown, or it has never been imported. */
  lateAt: number | null;
  /** Whether it had packages, and none is on sale. */
  isEmpty: boolean;
}

export interface StateSources {
  now: number;
  /** Null: unknown, because providers.json is missing or invalid. */
  providers: readonly HolidayProvider[] | null;
  /** When a feed without a schedule is late. */
  feedLateMs: number;
}

export async function readProviderStates(
  database: SqlDatabase,
  { now, providers, feedLateMs }: StateSources,
): Promise<ProviderState[]> {
  const today = dayNumber(todayInLondon(now));
  const imports = new Map((await readLastImports(database)).map(({ provider, last }) => [provider, last]));
  const listed = providers?.map(({ code }) => code) ?? (await attemptedProviders(database));
  return await Promise.all(
    [...new Set([...listed, ...imports.keys()])].toSorted().map(async (provider) => {
      const feed = stateOf(await recentAttempts(database, provider));
      const last = imports.get(provider) ?? null;
      const matchedAt = feed?.succeededAt ?? (last === null ? null : Date.parse(last.at));
      const block = providers?.find(({ code }) => code === provider)?.feed ?? null;
      return {
        provider,
        isListed: providers === null || listed.includes(provider),
        feed,
        last,
        matchedAt,
        lateAt: matchedAt === null || providers === null ? null : lateAt(block, feed, matchedAt, feedLateMs),
        isEmpty: matchedAt !== null && (last === null || (last.until ?? today + 1) <= today),
      };
    }),
  );
}

/** When a feed is late by its own schedule, or by that of its changes. */
function lateAt(
  block: FeedBlock | null,
  feed: FeedState | null,
  matchedAt: number,
  feedLateMs: number,
): number {
  const missed = (schedule: string | undefined, after: number) => {
    if (block === null || schedule === undefined) return Number.POSITIVE_INFINITY;
    const next = nextScheduled(block, schedule, after);
    const interval = nextScheduled(block, schedule, next) - next;
    return next + Math.min(MAX_LATE_MS, Math.max(MIN_LATE_MS, interval / 4));
  };
  const whole = missed(block?.schedule, feed?.wholeAt ?? matchedAt);
  const at = Math.min(whole, missed(block?.changes?.schedule, matchedAt));
  return Number.isFinite(at) ? at : matchedAt + feedLateMs;
}
