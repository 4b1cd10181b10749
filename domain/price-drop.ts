import type { Pence } from './money.ts';

/** A drop must be at least this large, in percent of the reference and in pence. */
const MIN_DROP_PERCENT = 5;
const MIN_DROP_PENCE = 1_000;

/** A package that a watch covers, at the time when the person's alert is due. Instants are ms since 1970 UTC. */
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

/** If a price moves by more than this factor, one of the two prices was probably wrong. */
export const MAX_PRICE_FACTOR = 3;

export function isImplausibleMove(was: Pence, price: Pence): boolean {
  return price * MAX_PRICE_FACTOR < was || price > was * MAX_PRICE_FACTOR;
}

/** Whether `price` is a drop from `reference`. Uses whole pence, so it is exact. */
export function isPriceDrop(reference: Pence, price: Pence): boolean {
  return reference - price >= MIN_DROP_PENCE && (reference - price) * 100 >= reference * MIN_DROP_PERCENT;
}

/** A similar package counts if it costs at most this much more than the watched one costs now. */
const MAX_PERCENT_DEARER = 10;

/**
 * The packages of a watch that deserve a message by current prices: the watched one first, then similar ones
 * by saving. Without a current price of the watched package, no similar one counts.
 */
export function newsOf<Price extends WatchedPrice>({
  now,
  own,
  prices,
}: {
  now: number;
  /** The ItemKey of the watched package. */
  own: string;
  prices: readonly Price[];
}): Price[] {
  const onSale = prices.filter(({ departsAt, expiresAt }) => now < departsAt && now < expiresAt);
  const watched = onSale.find(({ itemKey }) => itemKey === own);
  const most = watched === undefined ? 0 : watched.price * (100 + MAX_PERCENT_DEARER);
  return onSale
    .filter(({ itemKey, price }) => itemKey === own || price * 100 <= most)
    .filter(({ reference, price }) => isPriceDrop(reference, price))
    .toSorted(
      (one, other) => Number(other.itemKey === own) - Number(one.itemKey === own) || bySaving(one, other),
    );
}

/** Sorts the largest saving first. */
export function bySaving(one: WatchedPrice, other: WatchedPrice): number {
  return (
    other.reference - other.price - (one.reference - one.price) || (one.itemKey < other.itemKey ? -1 : 1)
  );
}
