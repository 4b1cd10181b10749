import type { OfferRow } from './inventory.ts';

/** An offer whose price changed. New offers are not included. */
export interface PriceChange {
  old: OfferRow;
  new: OfferRow;
}
