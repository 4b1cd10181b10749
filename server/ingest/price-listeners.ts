import { priceDropListener } from '../alerts/matching/price-drop-listener.ts';
import { alertClock } from '../environment/clock.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * The listeners to price changes, in the transaction that writes them: the price history, unless it is generated, and the
 * alerts.
 */
export function priceListeners(
  database: SqlDatabase,
  { recordsPrices = true }: { recordsPrices?: boolean } = {},
): PriceChangeListener[] {
  const alerts = priceDropListener(database, alertClock);
  return recordsPrices ? [priceObserver(database), alerts] : [alerts];
}
