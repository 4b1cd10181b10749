import type { OfferRow } from './inventory.ts';
import type { OfferKey } from './offer-columns.ts';

/** An offer whose price changed. A new offer is not a change. */
export interface PriceChange {
  old: OfferRow;
  new: OfferRow;
}

/** Receives a batch's price changes in its transaction, which is rolled back if it throws. */
export type PriceChangeListener = (changes: readonly PriceChange[]) => void;

/** Observes writes to the inventory, in their transaction. */
export interface InventoryListener {
  /** After a batch of offers: all of them, and the price changes among them. */
  written(offers: readonly OfferRow[], changes: readonly PriceChange[]): void;
  /** Before the offers with these keys are removed. Not called for departures of past days. */
  removing?(keys: readonly OfferKey[]): void;
  /** Before all offers of a provider are removed. */
  removingProvider?(provider: number): void;
}
