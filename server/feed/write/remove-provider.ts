import { type PriceEffects, priceEffects } from '../../ingest/price-listeners.ts';
import { renewReferenceVersion } from '../../inventory/tables/reference-tables.ts';
import { removeOffersOf } from '../../inventory/tables/remove-offers.ts';
import { PRICE_RUNS } from '../../price-history/history-table.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import type { ImportLease } from './import-lease.ts';
import { holdSharedHotels } from './shared-hotels.ts';
import { removeLastImport } from './store-notes.ts';

/**
 * Removes a provider's offers, but not their history, and returns their number. The caller holds the lease.
 * `onRemoving` is called in the transaction.
 */
export async function removeProvider(
  database: SqlDatabase,
  lease: ImportLease,
  code: string,
  onRemoving: (count: number) => Promise<void>,
): Promise<number> {
  const effects = await priceEffects(database);
  // No import can change the answer while the caller has the lease.
  const described = database.prepare(
    'select 1 from hotel join provider on provider.id = hotel.described_by where provider.code = ? limit 1',
  );
  const isDescribing = (await described.row(code)) !== undefined;
  const sharedHotels = isDescribing ? await holdSharedHotels(database, lease.renew) : null;
  const removed = await inTransaction(
    database,
    async () => {
      await lease.check();
      await sharedHotels?.check();
      // Waits, so that packages that an import has just added are removed too.
      await database.cluster?.waitForCommits();
      const count = await removeOffers(database, effects, code);
      await removeLastImport(database, code);
      await sharedHotels?.renew();
      // A new version, because running imports and cached counts may include the removed packages.
      await renewReferenceVersion(database);
      await onRemoving(count);
      await effects.beforeCommit();
      return count;
    },
    `offers of ${code}`,
  );
  await effects.afterCommit();
  return removed;
}

async function removeOffers(
  database: SqlDatabase,
  { listeners }: PriceEffects,
  code: string,
): Promise<number> {
  const provider = (await database.prepare('select id from provider where code = ?').row(code))?.[0];
  if (typeof provider !== 'number') return 0;
  // The next feed that has such a hotel will describe it.
  await database.prepare('update hotel set described_by = null where described_by = ?').run(provider);
  for (const listener of listeners) await listener.removingProvider?.(provider);
  return removeOffersOf(database, provider, PRICE_RUNS);
}
