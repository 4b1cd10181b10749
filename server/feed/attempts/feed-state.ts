import type { SqlDatabase } from '../../storage/sql-database.ts';
import { type Attempt, attemptedProviders, attemptsOf, isGood } from './attempt-table.ts';

/** How a provider's feed is doing. */
export interface FeedState {
  provider: string;
  last: Attempt;
  /** When its packages were last as its source said; null: never, or they were removed since. */
  seenAt: number | null;
  /** The feed that waits for an operator; null: none. */
  held: Attempt | null;
  /** Failures since the last other outcome. */
  failures: number;
}

/** The states of all providers with attempts, by code. */
export function readFeedStates(database: Pick<SqlDatabase, 'sql'>): FeedState[] {
  return attemptedProviders(database).flatMap((provider) => stateOf(attemptsOf(database, provider)) ?? []);
}

/** `attempts`: the latest first. Null: there is none. */
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
    failures: attempts.slice(0, settled < 0 ? attempts.length : settled).filter(isFailed).length,
  };
}

function isFailed({ outcome }: Attempt): boolean {
  return outcome === 'failed';
}
