import { priceDropListener } from '../alerts/matching/price-drop-listener.ts';
import { alertClock } from '../environment/clock.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** The listeners to price changes, in the transaction that writes them: the price history and the alerts. */
export function priceListeners(database: SqlDatabase): PriceChangeListener[] {
  return [priceObserver(database), priceDropListener(database, alertClock)];
}
