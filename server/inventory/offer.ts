import type { Pence } from '../../domain/money.ts';
import type { OfferRow } from './inventory.ts';
import { totalPrice } from './offer-charges.ts';
import { OFFER } from './offer-columns.ts';

/** An `OfferRow` with named columns. */
export type Offer = { readonly [Column in keyof typeof OFFER]: OfferRow[(typeof OFFER)[Column]] } & {
  readonly row: OfferRow;
  /** What the visitor pays. */
  readonly total: Pence;
};

/** Names the columns of a few rows, such as those of a page. Scans read rows. */
export function offerOf(row: OfferRow): Offer {
  return {
    row,
    total: totalPrice(row),
    departureDay: row[OFFER.departureDay],
    nights: row[OFFER.nights],
    party: row[OFFER.party],
    country: row[OFFER.country],
    region: row[OFFER.region],
    resort: row[OFFER.resort],
    airport: row[OFFER.airport],
    hotel: row[OFFER.hotel],
    board: row[OFFER.board],
    room: row[OFFER.room],
    provider: row[OFFER.provider],
    price: row[OFFER.price],
    priceBefore: row[OFFER.priceBefore],
    halfStars: row[OFFER.halfStars],
    departureMinute: row[OFFER.departureMinute],
    outboundFlight: row[OFFER.outboundFlight],
    inboundFlight: row[OFFER.inboundFlight],
    luggage: row[OFFER.luggage],
    expiresAt: row[OFFER.expiresAt],
    seenAt: row[OFFER.seenAt],
    link: row[OFFER.link],
    localCharge: row[OFFER.localCharge],
    extras: row[OFFER.extras],
  };
}
