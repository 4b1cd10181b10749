import { hostname } from 'node:os';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { RowCounts } from '../map/feed-package.ts';
import type { Difference } from '../write/difference.ts';
import type { FeedMeasure } from '../write/import-guardrails.ts';

const KEPT_MS = 92 * 24 * 60 * 60 * 1_000;

/**
 * `unchanged`: the source had nothing new, or the store was up to date. `skipped`: the source still had the held
 * feed. `discarded` and `rolled back` replace `held` and `imported` when an operator decides so. `withdrawn`: the
 * schedule removed the packages.
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

type Sql = Pick<SqlDatabase, 'sql'>;

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
  /** SHA-256 of the feed as fetched. */
  checksum?: string | undefined;
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

/** How `source` begins in an attempt that fetched only changes. */
export const CHANGES = 'changes from ';

export function isOfChanges({ source }: Pick<Attempt, 'source'>): boolean {
  return source.startsWith(CHANGES);
}

/** Whether the provider's packages matched its feed after the attempt. */
export function isGood({ outcome }: Pick<Attempt, 'outcome'>): boolean {
  return outcome === 'imported' || outcome === 'unchanged';
}

/** Begins an attempt, and ends those that a killed process left running. The caller has the provider's lease. */
export function beginAttempt(
  { sql }: Sql,
  { provider, source, now }: { provider: string; source: string; now: number },
): number {
  sql.run`delete from feed_attempt where provider = ${provider} and started_at < ${now - KEPT_MS}`;
  sql.run`update feed_attempt set outcome = 'failed', ended_at = ${now}, message = 'The import was killed'
    where provider = ${provider} and outcome = 'running'`;
  const row = sql.get`insert into feed_attempt (provider, started_at, source, outcome, host)
    values (${provider}, ${now}, ${source}, 'running', ${hostname()}) returning id`;
  return Number(row?.id);
}

/** Ends a running attempt. Returns false if it had already ended. */
export function endAttempt(
  { sql }: Sql,
  id: number,
  {
    outcome,
    message = '',
    detail,
    now,
  }: Pick<Attempt, 'outcome' | 'detail'> & { message?: string; now: number },
): boolean {
  return (
    sql.get`update feed_attempt set outcome = ${outcome}, message = ${message}, ended_at = ${now},
      detail = ${JSON.stringify(detail)} where id = ${id} and outcome = 'running' returning id` !== undefined
  );
}

/** Replaces the outcome of an ended attempt. */
export function judgeAttempt({ sql }: Sql, id: number, outcome: Outcome, message: string): void {
  sql.run`update feed_attempt set outcome = ${outcome}, message = ${message} where id = ${id}`;
}

/** A provider's attempts, the latest first. */
export function attemptsOf({ sql }: Sql, provider: string, limit = 1_000): Attempt[] {
  const rows = sql.all<Omit<Attempt, 'detail'> & { detail: string }>`
    select id, provider, started_at as "startedAt", ended_at as "endedAt", source, outcome, message, host, detail
    from feed_attempt where provider = ${provider} order by id desc limit ${limit}`;
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as AttemptDetail }));
}

/** The providers with attempts, by code. */
export function attemptedProviders({ sql }: Sql): string[] {
  return sql.all`select distinct provider from feed_attempt order by provider`.map(({ provider }) =>
    String(provider),
  );
}

/** How a provider's feed is doing. */
export interface FeedState {
  provider: string;
  last: Attempt;
  /** When its packages last matched the source; null: never, or they have since been removed. */
  seenAt: number | null;
  /** The feed that waits for an operator; null: none. */
  held: Attempt | null;
  /** Failures since the last attempt with another outcome. */
  failures: number;
}

/** The states of all providers with attempts, by code. */
export function readFeedStates(database: Sql): FeedState[] {
  return attemptedProviders(database).flatMap((provider) => stateOf(attemptsOf(database, provider)) ?? []);
}

/** The state after `attempts`, which come latest first. Null without attempts. */
export function stateOf(attempts: readonly Attempt[]): FeedState | null {
  const [last] = attempts;
  if (last === undefined) return null;
  const settled = attempts.findIndex(({ outcome }) => outcome !== 'failed' && outcome !== 'running');
  const seen = attempts.find((one) => isGood(one) || ['removed', 'withdrawn'].includes(one.outcome));
  const held = attempts.find(({ outcome }) => outcome === 'held' || outcome === 'imported');
  return {
    provider: last.provider,
    last,
    seenAt: seen !== undefined && isGood(seen) ? seen.startedAt : null,
    held: held?.outcome === 'held' ? held : null,
    failures: attempts
      .slice(0, settled < 0 ? attempts.length : settled)
      .filter(({ outcome }) => outcome === 'failed').length,
  };
}
