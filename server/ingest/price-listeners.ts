import { alertListener } from '../alerts/matching/alert-listener.ts';
import { alertClock } from '../environment/clock.ts';
import type { InventoryListener } from '../inventory/price-changes.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** The listeners to the inventory, in the transaction that writes it: the price history and the alerts. */
export function priceListeners(database: SqlDatabase): InventoryListener[] {
  const observe = priceObserver(database);
  return [
    {
      written(_offers, changes) {
        if (changes.length > 0) observe(changes);
      },
    },
    alertListener(database, alertClock),
  ];
}
