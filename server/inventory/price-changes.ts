import type { OfferRow } from './inventory.ts';

/** An offer that was written with another price than it had. A first sighting is no change. */
export interface PriceChange {
  old: OfferRow;
  new: OfferRow;
}

/** Told of a batch's price changes inside the transaction that writes them; what it throws undoes the batch. */
export type PriceChangeListener = (changes: readonly PriceChange[]) => void;
