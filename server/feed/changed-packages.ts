import type { OfferRow } from '../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER } from '../inventory/offer-columns.ts';
import { FeedFault } from './formats/raw-row.ts';
import { offersOf } from './write/difference.ts';
import type { FeedStore } from './write/open-feed-store.ts';
import type { Staging } from './write/staging.ts';

/** Some changes are missing, so only a full feed shows what the provider has. */
export class SequenceGap extends FeedFault {}

/** The changes were applied before. */
export class ChangesKnown extends FeedFault {}

/**
 * Notes the packages and sequence numbers of a feed. If the feed has the changes after a number, throws if some
 * are missing, and adds the provider's other packages, so that changes are imported like a full feed.
 */
export function changedPackages(after: number | null) {
  const changed = new Set<string>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    note(row: OfferRow, sequence: number | null): void {
      if (after !== null) changed.add(keyOf(row));
      if (sequence === null) return;
      first = Math.min(first, sequence);
      last = Math.max(last, sequence);
    },
    sequence: () => (Number.isFinite(last) ? last : null),
    addOthers({ database }: FeedStore, staging: Staging, provider: number | null, now: number): void {
      if (after === null) return;
      if (!Number.isFinite(last))
        throw new FeedFault('The changes have no Sequence, so nothing was imported.');
      if (last <= after) throw new ChangesKnown(`Changes ${last} are already in the store`);
      if (first > after + 1) {
        throw new SequenceGap(
          `Changes ${first} follow ${after}: those in between are missing, so a full feed is needed`,
        );
      }
      const seenAt = Math.floor(now / 60_000);
      for (const row of offersOf(database, provider)) {
        if (changed.has(keyOf(row))) continue;
        staging.add(row.with(OFFER.seenAt, seenAt) as unknown as OfferRow, 0);
      }
    },
  };
}

function keyOf(row: OfferRow): string {
  return row.slice(0, KEY_COLUMNS.length).join(' ');
}
