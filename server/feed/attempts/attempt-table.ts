import { hostname } from 'node:os';
import { mapInOrder } from '../../lib/map-in-order.ts';
import { memoize } from '../../lib/memoize.ts';
import type { SqlInput, SqlSession } from '../../storage/sql-database.ts';
import type { RowCounts } from '../map/feed-package.ts';
import type { FeedMeasure } from '../write/import-guardrails.ts';
import type { Difference } from '../write/staged-lines.ts';

const KEPT_MS = 92 * 24 * 60 * 60 * 1_000;

/**
 * `unchanged`: the source had nothing new, or the store was up to date. `skipped`: the source still had the held
 * feed. `discarded` replaces `held`, and `rolled back` all successful outcomes of a feed, when an operator decides so.
 * `withdrawn`: the schedule removed the packages.
 */
export type Outcome =
  | 'running'
  | 'imported'
  | 'unchanged'
  | 'held'
  | 'skipped'
  | 'failed'
  | 'discarded'
  | 'rolled back'
  | 'removed'
  | 'withdrawn';

type Sql = Pick<SqlSession, 'sql'>;

/** What decides whether the next import may skip the lines of this one. */
export interface NotedLines {
  count: number;
  /** A digest of the code, settings and lists that gave the lines their meaning. */
  basis: string;
  /** When the last feed was read whole. */
  wholeAt: number;
}

/** What is known about an attempt. An early failure leaves most of it unknown. */
export interface AttemptDetail {
  format?: string;
  counts?: RowCounts;
  difference?: Difference;
  /** Why the feed was held, or would have been if an operator had not accepted it. */
  reasons?: string[];
  /** Refusals and warnings by reason, the most frequent first. */
  refusals?: { reason: string; count: number; isTaken: boolean }[];
  measure?: FeedMeasure;
  /** The feed's sequence number; null: it has none. */
  sequence?: number | null;
  /** The largest price moves. */
  moves?: string[];
  /** The version of the feed that the source reported, for the next conditional request. */
  version?: string | null;
  /** When the source last changed the feed; null: unknown. */
  modifiedAt?: number | null;
  /** When the file was made, as far as is known: its prices were seen then. */
  madeAt?: number;
  /** The lines that the next feed need not repeat. */
  lines?: NotedLines | null;
  /** The feed's `maxAge` in milliseconds. */
  maxAge?: number;
  /** The feed has changes only. */
  isChanges?: boolean;
  /** The first number that the changes lack; a full feed must come first. */
  missing?: number;
  /** SHA-256 of the unpacked feed. */
  checksum?: string | undefined;
  /** Whether the feed was read, and none of its rows may be sold with these settings. */
  isUnusable?: boolean;
  /** A digest of the provider's settings. */
  settings?: string | undefined;
  /** A digest of where the feed was fetched from, how it was read, and its guardrails. */
  block?: string | undefined;
}

export interface Attempt {
  id: number;
  provider: string;
  startedAt: number;
  endedAt: number | null;
  /** Without credentials. */
  source: string;
  outcome: Outcome;
  message: string;
  host: string;
  detail: AttemptDetail;
}

export function isOfChanges({ detail }: Pick<Attempt, 'detail'>): boolean {
  return detail.isChanges === true;
}

/** A pattern of the details for which `isOfChanges` is true. An index has the same. */
const OF_CHANGES = '%"isChanges":true%';

/** Whether the provider's packages matched its feed after the attempt. */
export function isSuccessful({ outcome }: Pick<Attempt, 'outcome'>): boolean {
  return outcome === 'imported' || outcome === 'unchanged';
}

/**
 * Begins an attempt, and ends those that a killed process left running. The caller has the provider's lease.
 * Deletes old attempts, but never the last good one: a feed that fails for months remains late.
 */
export async function beginAttempt(
  { sql }: Sql,
  { provider, source, now, detail = {} }: Pick<Attempt, 'provider' | 'source'> & Beginning,
): Promise<number> {
  await sql.run`delete from feed_attempt where provider = ${provider} and started_at < ${now - KEPT_MS}
    and id < (select coalesce(max(id), 0) from feed_attempt
      where provider = ${provider} and outcome in ('imported', 'unchanged') and detail not like ${OF_CHANGES})`;
  await sql.run`update feed_attempt set outcome = 'failed', ended_at = ${now}, message = 'The import was killed'
    where provider = ${provider} and outcome = 'running'`;
  const row = await sql.get`insert into feed_attempt (provider, started_at, source, outcome, host, detail)
    values (${provider}, ${now}, ${source}, 'running', ${hostname()}, ${JSON.stringify(detail)}) returning id`;
  return Number(row?.id);
}

interface Beginning {
  now: number;
  /** Stays if the process is killed. */
  detail?: AttemptDetail;
}

/** Ends a running attempt. Returns false if it had already ended. */
export async function endAttempt(
  { sql }: Sql,
  id: number,
  {
    outcome,
    message = '',
    detail,
    now,
  }: Pick<Attempt, 'outcome' | 'detail'> & { message?: string; now: number },
): Promise<boolean> {
  return (
    (await sql.get`update feed_attempt set outcome = ${outcome}, message = ${message}, ended_at = ${now},
      detail = ${JSON.stringify(detail)} where id = ${id} and outcome = 'running' returning id`) !== undefined
  );
}

/** Replaces the outcome of an ended attempt. */
export async function judgeAttempt(
  { sql }: Sql,
  id: number,
  outcome: Outcome,
  message: string,
): Promise<void> {
  await sql.run`update feed_attempt set outcome = ${outcome}, message = ${message} where id = ${id}`;
}

/** Attempts, the latest first. */
async function select(database: SqlSession, rest: string, ...values: SqlInput[]): Promise<Attempt[]> {
  const attempts =
    database.prepare(`select id, provider, started_at as "startedAt", ended_at as "endedAt", source,
    outcome, message, host, detail from feed_attempt where ${rest}`);
  const rows = (await attempts.all(...values)) as unknown as (Omit<Attempt, 'detail'> & { detail: string })[];
  return rows.map((row) => ({ ...row, detail: parsed(row.detail) }));
}

/** Cached, because the schedule reads the same attempts every few seconds. Do not change the results. */
const parsed = memoize(200, (detail: string) => JSON.parse(detail) as AttemptDetail);

/** A provider's latest attempts, the latest first. */
export function latestAttempts(database: SqlSession, provider: string, limit: number): Promise<Attempt[]> {
  return select(database, 'provider = ? order by id desc limit ?', provider, limit);
}

/** A provider's attempts with whole feeds, and those with changes, at most 1,000 of each; the latest first. */
export function attemptsOf(database: SqlSession, provider: string): Promise<Attempt[]> {
  const ids = ['like', 'not like'].map(
    (like) =>
      `select id from (select id from feed_attempt where provider = ? and detail ${like} '${OF_CHANGES}' order by id desc limit 1000) as latest`,
  );
  return select(database, `id in (${ids.join(' union ')}) order by id desc`, provider, provider);
}

const GOOD = "outcome in ('imported', 'unchanged')";

/** Whether the provider's packages matched a feed that was read. */
const READ = `${GOOD} and detail like '%"difference":%'`;

/** Which attempts `recentAttempts` reads, and at most how many. */
const RECENT: readonly [condition: string, limit: number][] = [
  [`detail like '${OF_CHANGES}'`, 10],
  [`detail not like '${OF_CHANGES}'`, 10],
  [`detail not like '${OF_CHANGES}' and ${GOOD}`, 5],
  [`detail like '${OF_CHANGES}' and (outcome = 'failed' or ${GOOD})`, 1],
  [`detail not like '${OF_CHANGES}' and (outcome = 'failed' or ${GOOD})`, 1],
  ["outcome in ('imported', 'unchanged', 'withdrawn', 'removed')", 1],
  ["outcome in ('imported', 'held')", 1],
  [`detail not like '${OF_CHANGES}' and outcome in ('imported', 'held')`, 1],
  [READ, 1],
];

/**
 * The attempts that decide what comes next, the latest first: the latest whole feeds, the latest changes, and the
 * latest that did not fail, because changes come often, and a feed may fail for weeks. Also the latest failures, because
 * a rejected feed, which does not end a failure, may be found again for weeks.
 */
export function recentAttempts(database: SqlSession, provider: string): Promise<Attempt[]> {
  const ids = RECENT.map(
    ([condition, limit]) =>
      `select id from (select id from feed_attempt where provider = ? and ${condition} order by id desc limit ${limit}) as latest`,
  );
  return select(database, `id in (${ids.join(' union ')}) order by id desc`, ...RECENT.map(() => provider));
}

/**
 * The latest attempt after which the provider's packages matched a feed that was read, however long ago. Undefined if
 * they have been removed since.
 */
export async function lastReadOf(database: SqlSession, provider: string): Promise<Attempt | undefined> {
  const rest = `provider = ? and (outcome in ('removed', 'withdrawn') or ${READ}) order by id desc limit 1`;
  return (await select(database, rest, provider)).find(isSuccessful);
}

/** The latest attempt with changes that do not follow what was imported, and the successful ones since. */
export function attemptsSinceGap(database: SqlSession, provider: string): Promise<Attempt[]> {
  const isGap = `detail like '%"missing":%'`;
  const latest = `(select max(id) from feed_attempt where provider = ? and ${isGap})`;
  const rest = `provider = ? and id >= ${latest} and (${GOOD} or ${isGap}) order by id desc`;
  return select(database, rest, provider, provider);
}

/** The providers with attempts, by code. */
export async function attemptedProviders({ sql }: Sql): Promise<string[]> {
  return (await sql.all`select distinct provider from feed_attempt order by provider`).map(({ provider }) =>
    String(provider),
  );
}

/** How a provider's feed is doing. */
export interface FeedState {
  provider: string;
  last: Attempt;
  /** When its packages last matched the source; null: never, or they have since been removed. */
  seenAt: number | null;
  /** When its last successful attempt began, and its last successful one with a whole feed; null: never. */
  succeededAt: number | null;
  wholeAt: number | null;
  /** The attempt that waits for an operator's review; null: none. */
  pendingReview: Attempt | null;
  /** The failures since a successful attempt, the latest first. Changes do not end a whole feed's. */
  failures: readonly Attempt[];
  /** Consecutive failures, which decide when to retry. */
  retries: number;
}

/** The states of all providers with attempts, by code. */
export async function readFeedStates(database: SqlSession): Promise<FeedState[]> {
  const states = await mapInOrder(await attemptedProviders(database), async (provider) =>
    stateOf(await recentAttempts(database, provider)),
  );
  return states.filter((state) => state !== null);
}

/** The state after `attempts`, which come latest first. Null without attempts. */
export function stateOf(attempts: readonly Attempt[]): FeedState | null {
  const [last] = attempts;
  if (last === undefined) return null;
  const success = attempts.find(isSuccessful);
  const wholeSuccess = attempts.find((one) => isSuccessful(one) && !isOfChanges(one));
  const seen = attempts.find((one) => isSuccessful(one) || ['removed', 'withdrawn'].includes(one.outcome));
  const reviewed = attempts.filter(({ outcome }) => outcome === 'held' || outcome === 'imported');
  // Importing changes does not end the review of a held full feed.
  const decisive = [reviewed[0], reviewed.find((one) => !isOfChanges(one))];
  const ended = attempts.filter(({ outcome }) => outcome !== 'running');
  const settled = ended.findIndex(({ outcome }) => outcome !== 'failed');
  return {
    provider: last.provider,
    last,
    seenAt: seen !== undefined && isSuccessful(seen) ? seen.startedAt : null,
    succeededAt: success?.startedAt ?? null,
    wholeAt: wholeSuccess?.startedAt ?? null,
    pendingReview: decisive.find((one) => one?.outcome === 'held') ?? null,
    failures: ended.filter(
      (one) => one.outcome === 'failed' && one.id > ((isOfChanges(one) ? success : wholeSuccess)?.id ?? 0),
    ),
    retries: settled < 0 ? ended.length : settled,
  };
}
