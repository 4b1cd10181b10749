import { type PriceEffects, priceEffects } from '../../ingest/price-listeners.ts';
import { renewReferenceVersion } from '../../inventory/tables/reference-tables.ts';
import { removeOffersOf } from '../../inventory/tables/remove-offers.ts';
import { PRICE_RUNS } from '../../price-history/history-table.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { waitForPreparedCommits } from '../../storage/prepared-commits.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { ImportLease } from './import-lease.ts';
import { removeLastImport } from './store-notes.ts';

/** Removes all offers of a provider and returns their number. Price history is kept. The caller holds the lease. */
export function removeProvider(database: SqlDatabase, lease: ImportLease, code: string): number {
  const effects = priceEffects(database);
  const removed = inTransaction(
    database,
    () => {
      lease.check();
      // Packages that an import has just added are removed too.
      waitForPreparedCommits(database);
      const count = removeOffers(database, effects, code);
      removeLastImport(database, code);
      // Running imports and cached counts refer to the removed packages.
      renewReferenceVersion(database);
      effects.beforeCommit();
      return count;
    },
    `offers of ${code}`,
  );
  effects.afterCommit();
  return removed;
}

function removeOffers(database: SqlDatabase, { listeners }: PriceEffects, code: string): number {
  const provider = database.prepare('select id from provider where code = ?').row(code)?.[0];
  if (typeof provider !== 'number') return 0;
  // The next feed that has a hotel of this provider with a shared code describes it.
  database.prepare('update hotel set described_by = null where described_by = ?').run(provider);
  for (const listener of listeners) listener.removingProvider?.(provider);
  return removeOffersOf(database, provider, PRICE_RUNS);
}
