import { Cron } from 'croner';
import { digestOf } from '../lib/digest.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import { memoize } from '../lib/memoize.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import {
  type Attempt,
  attemptedProviders,
  type FeedState,
  isOfChanges,
  isSuccessful,
  recentAttempts,
  stateOf,
} from './attempts/attempt-table.ts';
import { feedArchive } from './attempts/feed-archive.ts';
import { type FeedBlock, maxAgeMs } from './map/feed-block.ts';
import type { HolidayProvider, ProvidersFile } from './map/holiday-providers.ts';
import { readLastImports } from './write/store-notes.ts';

const MINUTE_MS = 60_000;

/** Delays after consecutive failures; the last one repeats. */
const RETRY_AFTER_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

export function retryAfterMs(failures: number): number {
  return RETRY_AFTER_MS[Math.min(Math.max(failures, 1), RETRY_AFTER_MS.length) - 1] ?? MINUTE_MS;
}

/** The `source` of attempts that a change in providers.json has caused. */
export const SETTINGS_CHANGED = 'a change of providers.json';

/** Why packages are withdrawn: the `source` of these attempts. */
const NOT_LISTED = 'providers.json does not list it';
const NOT_SEEN = 'its feed has not been seen for too long';
const UNUSABLE = 'its feed cannot be imported with the new settings';
const WITHDRAWALS: readonly string[] = [NOT_LISTED, NOT_SEEN, UNUSABLE];

/**
 * What to do for a provider: fetch its feed or the changes; import its stored feed again, because its settings
 * have changed; or take its packages off sale.
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
  if (provider === null) return importedAt === null ? null : withdrawal(NOT_LISTED, now, attempts, now);
  const changed = changedSettings(provider, facts);
  const fetch = nextFetch(provider.feed, attempts, now, changed !== null);
  return earliest([changed?.kind === 'run' ? null : fetch, expiry(provider, facts, fetch), changed]);
}

/** Of work that is due at the same time, the first. */
function earliest(works: readonly (FeedWork | null)[]): FeedWork | null {
  return works.reduce((one, other) => (one !== null && (other === null || one.at <= other.at) ? one : other));
}

/**
 * Takes packages off sale that have not been seen for `maxAge`, once fetching the feed has not renewed them: not
 * even after the retries, because a machine that has just started may have no network yet.
 */
function expiry(
  { feed }: HolidayProvider,
  { attempts, importedAt, now }: ProviderFacts,
  fetch: FeedWork | null,
): FeedWork | null {
  if (importedAt === null) return null;
  const at = Math.min(now, stateOf(attempts)?.seenAt ?? importedAt) + maxAgeMs(feed);
  const withdraw = at > now ? null : withdrawal(NOT_SEEN, at, attempts, now);
  if (fetch === null) return withdraw;
  const runs = stateOf(attempts.filter(isRun));
  const last = runs === null || runs.last.startedAt < at ? null : runs.last;
  // Even if the next retry is due: it would always come first.
  if (last?.outcome === 'failed' && Number(runs?.retries) > RETRY_AFTER_MS.length) return withdraw;
  if (fetch.at <= Math.max(at, now)) return null;
  // Brings the fetch forward if the schedule has it later.
  if (last === null) {
    return { kind: 'run', at: runs?.last.outcome === 'failed' ? Math.max(at, retryAt(runs, now)) : at };
  }
  if (last.outcome !== 'failed' && last.outcome !== 'running') return withdraw;
  // Without a schedule of its own, nothing else retries the full feed.
  return runs !== null && feed?.schedule === undefined ? { kind: 'run', at: retryAt(runs, now) } : null;
}

/** A failed withdrawal is retried. */
function withdrawal(why: string, at: number, attempts: readonly Attempt[], now: number): FeedWork {
  const earlier = stateOf(attempts.filter(({ source }) => source === why));
  const hasEnded = earlier === null || earlier.last.outcome === 'withdrawn';
  return { kind: 'withdraw', at: hasEnded ? at : Math.max(at, retryAt(earlier, now)), why };
}

/** Whether an attempt imported the stored feed or changes again. */
function isReapplied({ source }: Attempt): boolean {
  return source.endsWith(SETTINGS_CHANGED);
}

/** Whether an attempt was a run of the schedule, or one by hand that replaced it. */
function isRun(attempt: Attempt): boolean {
  const { source, outcome } = attempt;
  if (isOfChanges(attempt) || isReapplied(attempt)) return false;
  return outcome !== 'withdrawn' && !WITHDRAWALS.includes(source);
}

/**
 * The whole feed or its changes, whichever is due first. Changes need the packages of an earlier whole feed, with the
 * present settings.
 */
function nextFetch(
  feed: FeedBlock | null,
  attempts: readonly Attempt[],
  now: number,
  isChanged: boolean,
): FeedWork | null {
  const whole = stateOf(attempts.filter(isRun));
  // A full feed that restores packages may be older than changes before they went off sale.
  const gone = attempts.findIndex(({ outcome }) => outcome === 'withdrawn' || outcome === 'removed');
  const since = gone < 0 ? attempts : attempts.slice(0, gone);
  const changes = stateOf(since.filter((one) => isOfChanges(one) && !isReapplied(one)));
  const run = feed?.schedule === undefined ? null : nextRun(feed, feed.schedule, whole, now);
  const schedule = feed?.changes?.schedule;
  const next =
    feed === null || schedule === undefined || isChanged || !hasPackages(attempts)
      ? null
      : nextRun(feed, schedule, changes, now);
  if (next !== null && (run === null || next < run)) return { kind: 'changes', at: next };
  return run === null ? null : { kind: 'run', at: run };
}

/**
 * Imports the stored feed again, once for each change of the settings that matter. If it is too old, or no row of it
 * can be used any more, fetches the feed instead. In the second case, takes the packages off sale if the retries end
 * in the same way.
 */
function changedSettings(
  provider: HolidayProvider,
  { attempts, importedAt, hasFeed, now }: ProviderFacts,
): FeedWork | null {
  const settings = settingsOf(provider);
  const settled = attempts.findIndex(({ outcome }) => SETTLED.includes(outcome));
  const { outcome, detail } = attempts[settled] ?? {};
  if (outcome === undefined || outcome === 'removed' || detail?.settings === settings) return null;
  const tries = attempts.slice(0, settled).filter((one) => one.detail.settings === settings);
  const isUnusable = tries[0]?.detail.isUnusable === true;
  if (importedAt !== null && tries.filter((one) => one.detail.isUnusable).length > RETRY_AFTER_MS.length)
    return withdrawal(UNUSABLE, now, attempts, now);
  const state = stateOf(tries);
  const at = state === null ? now : retryAt(state, now);
  if (isUnusable && provider.feed?.schedule !== undefined) return { kind: 'run', at };
  const read = attempts.find((one) => isSuccessful(one) && one.detail.difference !== undefined);
  // Importing the full feed again would undo later changes, unless the packages are off sale.
  const areChanges = read !== undefined && isOfChanges(read) && hasPackages(attempts);
  const attempt = attempts.find(
    (one) => isSuccessful(one) && hasFeed(one.id) && isOfChanges(one) === areChanges,
  );
  if (attempt === undefined) return null;
  // Changes bring back no earlier prices.
  if (!areChanges && now - attempt.startedAt > maxAgeMs(provider.feed)) {
    // A feed that is held or was discarded waits for an operator.
    const isWaiting = tries[0] !== undefined && tries[0].outcome !== 'failed';
    return isWaiting || provider.feed?.schedule === undefined ? null : { kind: 'run', at };
  }
  return { kind: 'reapply', at, attempt };
}

/** Whether the provider's packages matched a feed, and have not been removed since. */
function hasPackages(attempts: readonly Attempt[]): boolean {
  return (stateOf(attempts)?.seenAt ?? null) !== null;
}

const SETTLED: readonly string[] = ['imported', 'unchanged', 'withdrawn', 'removed'];

/** When the next scheduled run or retry after the last attempt is due. A new provider's first run is due now. */
function nextRun(feed: FeedBlock, schedule: string, state: FeedState | null, now: number): number {
  if (state === null || isAhead(state, now)) return now;
  const { startedAt, outcome } = state.last;
  const scheduled = nextScheduled(feed, schedule, startedAt);
  return outcome === 'failed' || outcome === 'running' ? Math.min(scheduled, retryAt(state, now)) : scheduled;
}

/** Cached, because every check asks again. The key is the time zone, the instant and the schedule. */
const nextOf = memoize(1_000, (key: string) => {
  const [timezone = '', after, ...schedule] = key.split(' ');
  const cron = new Cron(schedule.join(' '), { paused: true, timezone, mode: '5-part' });
  return cron.nextRun(new Date(Number(after)))?.getTime() ?? Number.POSITIVE_INFINITY;
});

/** When a schedule next runs after an instant. */
export function nextScheduled({ timeZone }: FeedBlock, schedule: string, after: number): number {
  return nextOf(`${timeZone} ${after} ${schedule}`);
}

/** When to retry after the last attempt. A running one that no process has is retried after a minute. */
function retryAt(state: FeedState, now: number): number {
  if (isAhead(state, now)) return now;
  const { startedAt, endedAt, outcome } = state.last;
  if (outcome === 'running') return startedAt + MINUTE_MS;
  return (endedAt ?? startedAt) + retryAfterMs(state.retries);
}

/** Whether the last attempt is in the future: the clock was ahead, and has been put right since. */
function isAhead({ last }: FeedState, now: number): boolean {
  return (last.endedAt ?? last.startedAt) > now;
}

/** The next work for each provider in the file, the attempts or the store, the earliest first. */
export async function plannedWork(
  database: SqlDatabase,
  { providers, dataDir, now }: { providers: ProvidersFile; dataDir: string; now: number },
): Promise<{ code: string; work: FeedWork }[]> {
  if (!providers.exists) return [];
  const imports = new Map(
    (await readLastImports(database)).map(({ provider, last }) => [provider, Date.parse(last.at)]),
  );
  const listed = providers.providers.map(({ code }) => code);
  const codes = new Set([...listed, ...imports.keys(), ...(await attemptedProviders(database))]);
  const planned = await mapInOrder(codes, async (code) => {
    const work = nextWork({
      provider: providers.providers.find((one) => one.code === code) ?? null,
      attempts: await recentAttempts(database, code),
      importedAt: imports.get(code) ?? null,
      hasFeed: feedArchive(dataDir, code).has,
      now,
    });
    return work === null ? [] : [{ code, work }];
  });
  return planned.flat().toSorted((one, other) => one.work.at - other.work.at);
}

/** A digest of the settings that decide what a provider's packages say and where they link. */
export function settingsOf(provider: HolidayProvider): string {
  const { name, linkHosts, upgradeHosts, linkTemplate, hotelCodes, pricesIncludeLocalCharges } = provider;
  const settings = [name, linkHosts, upgradeHosts, linkTemplate, hotelCodes, pricesIncludeLocalCharges];
  return digestOf(JSON.stringify(settings));
}
