import { type PriceEffects, priceEffects } from '../../ingest/price-listeners.ts';
import { renewReferenceVersion } from '../../inventory/tables/reference-tables.ts';
import { removeOffersOf } from '../../inventory/tables/remove-offers.ts';
import { PRICE_RUNS } from '../../price-history/history-table.ts';
import type { SqlDatabase, SqlTransaction } from '../../storage/sql-database.ts';
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
  onRemoving: (tx: SqlTransaction, count: number) => Promise<void>,
): Promise<number> {
  const effects = priceEffects(database);
  // No import can change the answer while the caller has the lease.
  const described = database.prepare(
    'select 1 from hotel join provider on provider.id = hotel.described_by where provider.code = ? limit 1',
  );
  const isDescribing = (await described.row(code)) !== undefined;
  const sharedHotels = isDescribing ? await holdSharedHotels(database, lease.renew) : null;
  const removed = await database.write(`offers of ${code}`, async (tx) => {
    await lease.check(tx);
    await sharedHotels?.check(tx);
    // Waits, so that packages that an import has just added are removed too.
    await tx.cluster?.waitForCommits();
    const count = await removeOffers(tx, effects, code);
    await removeLastImport(tx, code);
    await sharedHotels?.renew(tx);
    // A new version, because running imports and cached counts may include the removed packages.
    await renewReferenceVersion(tx);
    await onRemoving(tx, count);
    await effects.beforeCommit(tx);
    return count;
  });
  await effects.afterCommit();
  return removed;
}

async function removeOffers(tx: SqlTransaction, { listeners }: PriceEffects, code: string): Promise<number> {
  const provider = (await tx.prepare('select id from provider where code = ?').row(code))?.[0];
  if (typeof provider !== 'number') return 0;
  // The next feed that has such a hotel will describe it.
  await tx.prepare('update hotel set described_by = null where described_by = ?').run(provider);
  for (const listener of listeners) await listener.removingProvider?.(tx, provider);
  return removeOffersOf(tx, provider, PRICE_RUNS);
}
