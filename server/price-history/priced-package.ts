import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { PricedPackage } from './model/price-traits.ts';

/** What a buyer sees of an offer, for the price model. */
export function pricedPackageOf(offer: OfferRow): PricedPackage {
  const [departureDay, nights, , , region, resort, airport, , board, room, provider] = offer;
  return {
    departureDay,
    nights,
    region,
    resort,
    airport,
    board,
    room,
    provider,
    halfStars: offer[OFFER.halfStars],
  };
}
