import {
  type Attempt,
  attemptedProviders,
  attemptsOf,
  isGood,
  isOfChanges,
  lastReadOf,
  stateOf,
} from '../feed/attempts/attempt-table.ts';
import { maxAgeMs } from '../feed/map/feed-block.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { Condition } from './condition.ts';

/** A full feed is fetched immediately, and usually closes the gap. */
const GAP_GRACE_MS = 10 * 60_000;

/** Conditions of the files that providers send. */
export async function feedFileConditions(database: SqlDatabase, now: number): Promise<Condition[]> {
  const found = await mapInOrder(await attemptedProviders(database), async (provider) => {
    const attempts = await attemptsOf(database, provider);
    return [...missingChanges(provider, attempts), ...(await sameFile(database, provider, attempts, now))];
  });
  return found.flat();
}

function missingChanges(provider: string, attempts: readonly Attempt[]): Condition[] {
  const at = attempts.findIndex(({ detail }) => detail.missing !== undefined);
  const gap = attempts[at];
  const missing = gap?.detail.missing;
  if (gap === undefined || missing === undefined) return [];
  const closesGap = (one: Attempt) =>
    isGood(one) &&
    one.detail.difference !== undefined &&
    (isOfChanges(one) || (one.detail.sequence ?? 0) >= missing);
  if (attempts.slice(0, at).some(closesGap)) return [];
  const text = `${gap.message}. Ask the provider for a full feed that includes change ${missing}. Until it comes, no changes are imported.`;
  const title = `Changes of ${provider} are missing`;
  return [{ key: `feed changes missing ${provider}`, title, text, graceMs: GAP_GRACE_MS }];
}

/** A file that the provider has not renewed for longer than its packages may be shown. */
async function sameFile(
  database: SqlDatabase,
  provider: string,
  attempts: readonly Attempt[],
  now: number,
): Promise<Condition[]> {
  const { madeAt, maxAge = maxAgeMs(null) } = (await lastReadOf(database, provider))?.detail ?? {};
  const isOnSale = (stateOf(attempts)?.seenAt ?? null) !== null;
  if (madeAt === undefined || !isOnSale || now - madeAt <= maxAge) return [];
  const since = new Date(madeAt).toISOString().slice(0, 16).replace('T', ' ');
  const title = `${provider} has sent the same file since ${since} UTC`;
  const text = 'Its export has probably stopped, so its prices are out of date. Ask the provider.';
  return [{ key: `feed same ${provider}`, title, text, graceMs: 0 }];
}
