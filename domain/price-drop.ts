import type { Pence } from './money.ts';
import { earliestAlert, type QuietHours } from './quiet-hours.ts';

/** A drop must be at least this large, in percent of the reference and in pence. */
const MIN_DROP_PERCENT = 5;
const MIN_DROP_PENCE = 1_000;

/** A package that a watch covers, at the time when the watch's alert is due. Instants are ms since 1970 UTC. */
export interface WatchedPrice {
  itemKey: string;
  /**
   * The price that a drop is measured from: the highest since the watch began or since the last alert about
   * this package. An alert lowers it to the alert's price; small falls do not, so that they add up.
   */
  reference: Pence;
  price: Pence;
  departsAt: number;
  expiresAt: number;
}

export type AlertDecision =
  /** The best drop comes first. */
  | { kind: 'send'; drops: readonly [WatchedPrice, ...WatchedPrice[]] }
  | { kind: 'wait'; until: number }
  /** No price is a drop any more. */
  | { kind: 'stale' };

/** Whether `price` is a drop from `reference`. Uses whole pence, so it is exact. */
export function isPriceDrop(reference: Pence, price: Pence): boolean {
  return reference - price >= MIN_DROP_PENCE && (reference - price) * 100 >= reference * MIN_DROP_PERCENT;
}

/**
 * Whether a price deserves a message. With a limit `below`, a watch alerts as soon as the price falls below
 * it, even by a penny, and on drops after that.
 */
export function isNews(reference: Pence, price: Pence, below: Pence | null): boolean {
  if (below === null) return isPriceDrop(reference, price);
  return price < below && (reference >= below || isPriceDrop(reference, price));
}

/** Decides about a due alert by current prices: send, wait, or cancel. A hurried alert does not wait. */
export function decideAlert(alert: {
  now: number;
  lastAlertAt: number | null;
  quiet: QuietHours;
  isHurried: boolean;
  /** The watch's own price limit; null or omitted if it has none. */
  below?: Pence | null;
  prices: readonly WatchedPrice[];
}): AlertDecision {
  const { now, below = null } = alert;
  const [best, ...others] = alert.prices
    .filter(({ departsAt, expiresAt }) => now < departsAt && now < expiresAt)
    .filter(({ reference, price }) => isNews(reference, price, below))
    .toSorted(bySaving);
  if (best === undefined) return { kind: 'stale' };
  const earliest = alert.isHurried ? now : earliestAlert(now, alert.lastAlertAt, alert.quiet);
  if (earliest > now) return { kind: 'wait', until: earliest };
  return { kind: 'send', drops: [best, ...others] };
}

function bySaving(one: WatchedPrice, other: WatchedPrice): number {
  return (
    other.reference - other.price - (one.reference - one.price) || (one.itemKey < other.itemKey ? -1 : 1)
  );
}
