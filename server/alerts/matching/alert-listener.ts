import type { InventoryListener } from '../../inventory/price-changes.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { packageLookup } from '../tables/package-lookup.ts';
import { gonePrices } from './gone-prices.ts';
import { watchedPackageFinder } from './nearby-watches.ts';
import { priceDropListener } from './price-drop-listener.ts';

/**
 * The alerts' listener to the inventory. A package that returns after it had left counts as a change from its last
 * price; a package that was never seen does not. `now` is in milliseconds since 1970.
 */
export function alertListener(database: SqlDatabase, now: () => number): InventoryListener {
  const packages = packageLookup(database);
  const processChanges = priceDropListener(database, now);
  const gone = gonePrices(database, packages, watchedPackageFinder(database, packages), now);
  return {
    written(offers, changes) {
      const all = [...changes, ...gone.takeReturns(offers)];
      if (all.length > 0) processChanges(all);
    },
    removing: gone.keep,
    removingProvider: gone.keepOfProvider,
  };
}
