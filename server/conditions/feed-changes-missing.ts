import { type Attempt, attemptsSinceGap, isOfChanges, isSuccessful } from '../feed/attempts/attempt-table.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import { type Condition, MINUTE_MS } from './condition.ts';
import type { StoreView } from './store-view.ts';

export const FEED_CHANGES_MISSING: Condition<StoreView> = {
  id: 'feed changes missing',
  level: 'warn',
  sentence: 'Changes of $ are missing',
  remedy: 'Ask the provider for a full feed that includes them. Until it comes, no changes are imported.',
  // A full feed is fetched immediately, and usually closes the gap.
  graceMs: 10 * MINUTE_MS,
  async read({ database, states }) {
    const gaps = await mapInOrder(states, async ({ provider }) =>
      openGap(await attemptsSinceGap(database, provider)),
    );
    return gaps
      .flatMap((gap) => gap && { subject: gap.provider, detail: gap.message })
      .filter((one) => one !== null);
  },
};

/** Null: a later feed has closed the gap, or there was none. */
function openGap(attempts: readonly Attempt[]): Attempt | null {
  const gap = attempts.at(-1);
  const missing = gap?.detail.missing;
  if (gap === undefined || missing === undefined) return null;
  const closesGap = (attempt: Attempt) =>
    isSuccessful(attempt) &&
    attempt.detail.difference !== undefined &&
    (isOfChanges(attempt) || (attempt.detail.sequence ?? -1) >= missing);
  return attempts.some(closesGap) ? null : gap;
}
