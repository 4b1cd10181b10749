import { completePriceBlocks, type FillProgress } from '../inventory/tables/fill-price-blocks.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { readPool } from '../storage/postgres/read-pool.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { PackageRepository } from './package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import { wideSearchWorker } from './wide-search.ts';

/**
 * Opens the store for searching, and creates it if there is none. Throws if it cannot be used or a newer version has
 * written it. Without its primary, a PostgreSQL store can still be searched if a replica responds. A store that an
 * earlier version has filled first gets its price blocks, about a minute for 20 million packages.
 */
export async function openPackageRepository(
  store: StoreAddress,
  onFill: (progress: FillProgress) => void = () => {},
): Promise<PackageRepository> {
  if (store.kind === 'embedded') {
    prepareStore(store, onFill);
    const wide = wideSearchWorker(store);
    const repository = sqlitePackageRepository(openDatabaseForReading(store), wide.search);
    return {
      ...repository,
      async close() {
        await wide.stop();
        await repository.close();
      },
    };
  }
  const repository = postgresPackageRepository(readPool(store));
  try {
    prepareStore(store, onFill);
    return repository;
  } catch (error) {
    if (error instanceof StoreUnavailable && (await canBeSearched(repository))) return repository;
    await repository.close();
    throw error;
  }
}

function prepareStore(store: StoreAddress, onFill: (progress: FillProgress) => void): void {
  const database = openDatabase(store);
  try {
    completePriceBlocks(database, onFill);
  } finally {
    database.close();
  }
}

async function canBeSearched(repository: PackageRepository): Promise<boolean> {
  try {
    await repository.referenceVersion();
    return true;
  } catch {
    return false;
  }
}
