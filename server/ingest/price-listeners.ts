import { priceDropListener } from '../alerts/matching/price-drop-listener.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** What follows from a price change, in the transaction that writes it: it is observed, and its watches are told. */
export function priceListeners(database: SqlDatabase): PriceChangeListener[] {
  return [priceObserver(database), priceDropListener(database, Date.now)];
}
