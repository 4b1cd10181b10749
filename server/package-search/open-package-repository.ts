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

export interface OpenPackageRepository extends PackageRepository {
  queue: WorkQueue | null;
}

/**
 * Opens the store for searching, creating or upgrading it. Throws if a newer version wrote it. Without its
 * primary, PostgreSQL can be searched on a replica. Price blocks missing from an older version take a minute
 * per 20 million packages.
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
  using database = openDatabase(store);
  completePriceBlocks(database, onFill);
}

function canBeSearched(repository: PackageRepository): Promise<boolean> {
  return repository.referenceVersion().then(
    () => true,
    () => false,
  );
}
