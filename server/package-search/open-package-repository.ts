import { completePriceBlocks, type FillProgress } from '../inventory/tables/fill-price-blocks.ts';
import { REFERENCE_VERSION } from '../inventory/tables/reference-tables.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import type { WorkQueue } from '../lib/work-queue.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { openReadPool } from '../storage/open/read-pool.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { PackageRepository } from './package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import { postgresQueue, wideSearchThreads } from './wide-search.ts';

/** A repository, and the queue of its wide searches. */
export interface OpenPackageRepository extends PackageRepository {
  queue: WorkQueue | null;
}

/**
 * Opens the store for searching, and creates it if there is none. Throws if it cannot be used or a newer version has
 * written it. Without its primary, a PostgreSQL store can still be searched if a replica responds. A store that an
 * earlier version has filled first gets its price blocks, about a minute for 20 million packages.
 */
export async function openPackageRepository(
  store: StoreAddress,
  onFill: (progress: FillProgress) => void = () => {},
): Promise<OpenPackageRepository> {
  if (store.kind === 'embedded') {
    prepareStore(store, onFill);
    const threads = wideSearchThreads(store);
    const repository = sqlitePackageRepository(openDatabaseForReading(store), threads.api);
    return {
      ...repository,
      queue: threads.queue,
      async close() {
        await threads.stop();
        await repository.close();
      },
    };
  }
  const queue = postgresQueue();
  const pool = await openReadPool(store, REFERENCE_VERSION);
  const repository = { ...postgresPackageRepository(pool, queue), queue };
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
