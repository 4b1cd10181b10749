import { priceDropListener } from '../alerts/price-drop-listener.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { PriceChangeListener } from './price-changes.ts';
import type { SqlDatabase } from './sql-database.ts';

/** What follows from a price change, in the transaction that writes it: it is observed, and its watches are told. */
export function priceListeners(database: SqlDatabase): PriceChangeListener[] {
  return [priceObserver(database), priceDropListener(database, Date.now)];
}
