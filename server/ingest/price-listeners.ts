import { alertListener } from '../alerts/matching/alert-listener.ts';
import { alertClock } from '../environment/clock.ts';
import type { InventoryListener } from '../inventory/price-changes.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/**
 * The listeners to the inventory, in the transaction that writes it: the price history, unless it is generated, and the
 * alerts.
 */
export function priceListeners(
  database: SqlDatabase,
  { recordsPrices = true }: { recordsPrices?: boolean } = {},
): InventoryListener[] {
  const observe = priceObserver(database);
  const history: InventoryListener = {
    written(_offers, changes) {
      if (changes.length > 0) observe(changes);
    },
  };
  const alerts = alertListener(database, alertClock);
  return recordsPrices ? [history, alerts] : [alerts];
}
