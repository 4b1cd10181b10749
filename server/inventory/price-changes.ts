import type { OfferRow } from './inventory.ts';

/** An offer whose price changed. A new offer is not a change. */
export interface PriceChange {
  old: OfferRow;
  new: OfferRow;
}

/** Receives a batch's price changes inside the transaction that writes them. If it throws, the batch is rolled back. */
export type PriceChangeListener = (changes: readonly PriceChange[]) => void;
