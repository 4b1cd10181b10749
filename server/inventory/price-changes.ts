import type { OfferRow } from './inventory.ts';
import type { OfferKey } from './offer-columns.ts';

/** An offer whose price changed. New offers are not included. */
export interface PriceChange {
  old: OfferRow;
  new: OfferRow;
}

/** Observes writes to the inventory, in their transaction. */
export interface InventoryListener {
  /** Called after a batch of offers is written, with all offers and their price changes. */
  written(offers: readonly OfferRow[], changes: readonly PriceChange[]): Promise<void>;
  /** Called before the offers with these keys are removed, but not for departures in the past. */
  removing?(keys: readonly OfferKey[]): Promise<void>;
  /** Called before all offers of a provider are removed. */
  removingProvider?(provider: number): Promise<void>;
}
