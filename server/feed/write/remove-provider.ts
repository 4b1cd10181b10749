import { priceListeners } from '../../ingest/price-listeners.ts';
import { renewReferenceVersion } from '../../inventory/tables/reference-tables.ts';
import { removeOffersOf } from '../../inventory/tables/remove-offers.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { ImportLease } from './import-lease.ts';
import { removeLastImport } from './store-notes.ts';

/** Removes all offers of a provider and returns their number. Price history is kept. The caller holds the lease. */
export function removeProvider(database: SqlDatabase, lease: ImportLease, code: string): number {
  return inTransaction(database, () => {
    lease.check();
    const [provider] = database.prepare('select id from provider where code = ?').row(code) ?? [];
    let removed = 0;
    if (typeof provider === 'number') {
      for (const listener of priceListeners(database)) listener.removingProvider?.(provider);
      removed = removeOffersOf(database, provider);
    }
    removeLastImport(database, code);
    // Running imports and cached counts refer to the removed packages.
    renewReferenceVersion(database);
    return removed;
  });
}
