import type { Pence } from './money.ts';
import { earliestAlert, type QuietHours } from './quiet-hours.ts';

/** A drop is at least this much below the running reference, in both measures (ruling 14). */
const MIN_DROP_PERCENT = 5;
const MIN_DROP_PENCE = 1_000;

/** A package that a watch covers, as it stands when its alert is due. Instants are ms since 1970 UTC. */
export interface WatchedPrice {
  itemKey: string;
  /**
   * The running reference: the highest price since the watch began, or since its number was last told of this
   * package. A rise moves it up, which re-arms; telling moves it down to the price told, so that only a deeper
   * drop fires again; small falls leave it, so that they add up.
   */
  reference: Pence;
  /** The price now. */
  price: Pence;
  departsAt: number;
  expiresAt: number;
}

export type AlertDecision =
  /** `drops` are all that the message tells, the best first. */
  | { kind: 'send'; drops: readonly [WatchedPrice, ...WatchedPrice[]] }
  | { kind: 'wait'; until: number }
  /** No price is a drop any more. */
  | { kind: 'stale' };

/** Whether `price` is a drop from `reference`. Whole pence throughout, so that the limits are exact. */
export function isPriceDrop(reference: Pence, price: Pence): boolean {
  return reference - price >= MIN_DROP_PENCE && (reference - price) * 100 >= reference * MIN_DROP_PERCENT;
}

/**
 * What becomes of an alert that is due, by the prices of this moment: an alert that has waited, be it for the
 * morning or for the next day, is never sent for a drop that is over. A hurried one waits for nothing.
 */
export function decideAlert(alert: {
  now: number;
  /** When the number was last sent an alert. */
  lastAlertAt: number | null;
  quiet: QuietHours;
  isHurried: boolean;
  prices: readonly WatchedPrice[];
}): AlertDecision {
  const { now } = alert;
  const [best, ...others] = alert.prices
    .filter(({ departsAt, expiresAt }) => now < departsAt && now < expiresAt)
    .filter(({ reference, price }) => isPriceDrop(reference, price))
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
