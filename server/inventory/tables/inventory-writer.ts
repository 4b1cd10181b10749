import type { SqlSession, SqlTransaction } from '../../storage/sql-database.ts';
import type { OfferRow, ReferenceData } from '../inventory.ts';
import type { PriceChange } from '../price-changes.ts';

export type ChooseOffers = (tx: SqlTransaction, offers: readonly OfferRow[]) => Promise<readonly OfferRow[]>;

export interface InventoryWriter {
  /** Replaces all dictionaries in one transaction. The IDs in existing offers must keep their meaning. */
  replaceReference(reference: ReferenceData): Promise<void>;
  /**
   * Writes rows, sorted by key, in one transaction. Skips unchanged rows. In that transaction, `choose` may leave
   * out rows.
   */
  writeOffers(offers: readonly OfferRow[], choose?: ChooseOffers): Promise<void>;
  removeDeparturesBefore(day: number): Promise<void>;
  /** Reserves work for this writer until it closes; returns false if another server has reserved it. */
  reserve(work: string): Promise<boolean>;
  readNote(name: string): Promise<string | null>;
  /** Writes a short named fact about the inventory, such as the progress of a load. */
  writeNote(name: string, value: string): Promise<void>;
  close(): Promise<void>;
}

/** Observes writes to the inventory, in their transaction. */
export interface InventoryListener {
  /** Called after a batch of offers is written, with all offers and their price changes. */
  written(tx: SqlSession, offers: readonly OfferRow[], changes: readonly PriceChange[]): Promise<void>;
  /** Called before all offers of a provider are removed. */
  removingProvider?(tx: SqlSession, provider: number): Promise<void>;
}
