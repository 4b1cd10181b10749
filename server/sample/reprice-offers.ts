import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { memoize } from '../lib/memoize.ts';
import { type PathKey, simulatePricePath } from './simulate-price-path.ts';

/** A number above any resort's count of hotels. */
const MAX_HOTELS = 1_000;

/**
 * Moves the prices of one departure month to the next market day. Returns the changed offers in their order.
 * `seenAt` is in minutes since the epoch.
 */
export function repricedOffers(
  seed: number,
  month: Omit<PathKey, 'hotel'>,
  offers: readonly OfferRow[],
  nextDay: number,
  seenAt: number,
): OfferRow[] {
  const factorOf = memoize(MAX_HOTELS, (hotel) => {
    const [before = 0, after = 0] = simulatePricePath(seed, { ...month, hotel }, nextDay - 1, nextDay);
    return Math.exp(after - before);
  });
  return offers.flatMap((offer) => {
    const moved = withPriceFactor(offer, factorOf(offer[OFFER.hotel]), seenAt);
    return moved[OFFER.price] === offer[OFFER.price] ? [] : [moved];
  });
}

/** Changes whole pounds only, which keeps the pence that the provider's prices end in. */
function repriced(price: number, factor: number): number {
  const ending = price % 100;
  return Math.max(1, Math.round(((price - ending) / 100) * factor)) * 100 + ending;
}

/** The offer with its price multiplied, seen at `seenAt`. */
export function withPriceFactor(offer: OfferRow, factor: number, seenAt: number): OfferRow {
  const price = repriced(offer[OFFER.price], factor);
  return offer.with(OFFER.price, price).with(OFFER.seenAt, seenAt) as unknown as OfferRow;
}
