import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { SqlDatabase } from '../storage/sql-database.ts';
import {
  type Attempt,
  attemptedProviders,
  attemptsOf,
  type FeedState,
  isGood,
  isOfChanges,
  stateOf,
} from './attempts/attempt-table.ts';
import { feedArchive } from './attempts/feed-archive.ts';
import { type FeedBlock, maxAgeMs } from './map/feed-block.ts';
import type { HolidayProvider, ProvidersFile } from './map/holiday-providers.ts';
import { readLastImports } from './write/store-notes.ts';

const MINUTE_MS = 60_000;

/** Delays after consecutive failures; the last one repeats. */
const RETRY_AFTER_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

/** The `source` of attempts that a change in providers.json has caused. */
export const SETTINGS_CHANGED = 'a change of providers.json';

/**
 * What to do for a provider: fetch its feed; import its stored feed again, because its settings have changed;
 * or take its packages off sale, because they are too old or their provider is no longer listed.
 */
export type FeedWork =
  | { kind: 'run'; at: number }
  | { kind: 'changes'; at: number }
  | { kind: 'reapply'; at: number; attempt: Attempt }
  | { kind: 'withdraw'; at: number; why: string };

export interface ProviderFacts {
  /** Null: providers.json does not list it. */
  provider: HolidayProvider | null;
  /** The latest first. */
  attempts: readonly Attempt[];
  /** When its last import was recorded; null: the store has none of its packages. */
  importedAt: number | null;
  /** Whether an attempt's feed is stored on this machine. */
  hasFeed: (id: number) => boolean;
  now: number;
}

/** The next work for a provider, in the past if it is due; null if nothing is planned. */
export function nextWork(facts: ProviderFacts): FeedWork | null {
  const { provider, attempts, importedAt, now } = facts;
  if (provider === null) {
    if (importedAt === null) return null;
    return { kind: 'withdraw', at: now, why: 'providers.json does not list it' };
  }
  if (importedAt !== null) {
    const at = Math.max(importedAt, stateOf(attempts)?.seenAt ?? 0) + maxAgeMs(provider.feed);
    if (at <= now) return { kind: 'withdraw', at, why: 'its feed has not been seen for too long' };
  }
  return changedSettings(provider, facts) ?? nextFetch(provider.feed, attempts, now);
}

/** The whole feed or its changes, whichever is due first. Changes need an earlier whole feed. */
function nextFetch(feed: FeedBlock | null, attempts: readonly Attempt[], now: number): FeedWork | null {
  const whole = stateOf(attempts.filter((one) => !isOfChanges(one)));
  const changes = stateOf(attempts.filter(isOfChanges));
  const run = feed?.schedule === undefined ? null : nextRun(feed, feed.schedule, whole, now);
  const schedule = feed?.changes?.schedule;
  const next =
    feed === null || schedule === undefined || whole === null ? null : nextRun(feed, schedule, changes, now);
  if (next !== null && (run === null || next < run)) return { kind: 'changes', at: next };
  return run === null ? null : { kind: 'run', at: run };
}

/** Imports the stored feed again, once for each change. If that fails, takes the packages off sale. */
function changedSettings(
  provider: HolidayProvider,
  { attempts, importedAt, hasFeed, now }: ProviderFacts,
): FeedWork | null {
  const settings = settingsOf(provider);
  const [last] = attempts;
  if (last?.outcome === 'failed' && last.source === SETTINGS_CHANGED && last.detail.settings === settings) {
    if (importedAt === null) return null;
    return { kind: 'withdraw', at: now, why: 'its feed cannot be imported with the new settings' };
  }
  const settled = attempts.find(({ outcome }) => SETTLED.includes(outcome));
  const attempt = attempts.find((one) => isGood(one) && hasFeed(one.id));
  if (settled === undefined || attempt === undefined) return null;
  if (settled.outcome === 'removed' || settled.detail.settings === settings) return null;
  return now - attempt.startedAt > maxAgeMs(provider.feed) ? null : { kind: 'reapply', at: now, attempt };
}

const SETTLED: readonly string[] = ['imported', 'unchanged', 'withdrawn', 'removed'];

/** When the next scheduled run or retry after the last attempt is due. A new provider's first run is due now. */
function nextRun(feed: FeedBlock, schedule: string, state: FeedState | null, now: number): number {
  if (state === null) return now;
  const { last, failures } = state;
  const cron = new Cron(schedule, { paused: true, timezone: feed.timeZone, mode: '5-part' });
  const scheduled = cron.nextRun(new Date(last.startedAt))?.getTime() ?? Number.POSITIVE_INFINITY;
  if (last.outcome === 'running') return Math.min(scheduled, last.startedAt + MINUTE_MS);
  if (last.outcome !== 'failed') return scheduled;
  const pause = RETRY_AFTER_MS[Math.min(failures, RETRY_AFTER_MS.length) - 1] ?? MINUTE_MS;
  return Math.min(scheduled, (last.endedAt ?? last.startedAt) + pause);
}

/** How many of a provider's attempts are read to decide what comes next. */
const READ_ATTEMPTS = 200;

/** The next work for each provider in the file, the attempts or the store, the earliest first. */
export function plannedWork(
  database: SqlDatabase,
  { providers, dataDir, now }: { providers: ProvidersFile; dataDir: string; now: number },
): { code: string; work: FeedWork }[] {
  if (!providers.exists) return [];
  const imports = new Map(
    readLastImports(database).map(({ provider, last }) => [provider, Date.parse(last.at)]),
  );
  const listed = providers.providers.map(({ code }) => code);
  const codes = new Set([...listed, ...imports.keys(), ...attemptedProviders(database)]);
  return [...codes]
    .flatMap((code) => {
      const work = nextWork({
        provider: providers.providers.find((one) => one.code === code) ?? null,
        attempts: attemptsOf(database, code, READ_ATTEMPTS),
        importedAt: imports.get(code) ?? null,
        hasFeed: feedArchive(dataDir, code).has,
        now,
      });
      return work === null ? [] : [{ code, work }];
    })
    .toSorted((one, other) => one.work.at - other.work.at);
}

/** A digest of the settings that decide what a provider's packages say and where they link. */
export function settingsOf(provider: HolidayProvider): string {
  const { name, linkHosts, upgradeHosts, linkTemplate, hotelCodes, pricesIncludeLocalCharges } = provider;
  const settings = [name, linkHosts, upgradeHosts, linkTemplate, hotelCodes, pricesIncludeLocalCharges];
  return digestOf(JSON.stringify(settings));
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
