import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { memoize } from '../lib/memoize.ts';
import { marketPath, type PathOwner } from './market-path.ts';

/** More than a resort has. */
const MOST_HOTELS = 1_000;

/**
 * Offers of one departure month, moved from a market day to the next; those whose price stays are left out, the
 * rest keep their order. `seenAt` in minutes since the epoch.
 */
export function movedOffers(
  seed: number,
  month: Omit<PathOwner, 'hotel'>,
  offers: readonly OfferRow[],
  nextDay: number,
  seenAt: number,
): OfferRow[] {
  const factorOf = memoize(MOST_HOTELS, (hotel) => {
    const [before = 0, after = 0] = marketPath(seed, { ...month, hotel }, nextDay - 1, nextDay);
    return Math.exp(after - before);
  });
  return offers.flatMap((offer) => {
    const price = movedPrice(offer[OFFER.price], factorOf(offer[OFFER.hotel]));
    return price === offer[OFFER.price] ? [] : [withPrice(offer, price, seenAt)];
  });
}

/** Moves whole pounds, so that a provider's price endings stay what they are. */
function movedPrice(price: number, factor: number): number {
  const ending = price % 100;
  return Math.max(1, Math.round(((price - ending) / 100) * factor)) * 100 + ending;
}

function withPrice(offer: OfferRow, price: number, seenAt: number): OfferRow {
  return offer.with(OFFER.price, price).with(OFFER.seenAt, seenAt) as unknown as OfferRow;
}
