import { REFERENCE_VERSION } from '../../inventory/tables/reference-tables.ts';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { WorkQueue } from '../../lib/work-queue.ts';
import type { WorkerThread } from '../../lib/worker-rpc.ts';
import { openDatabase, openDatabaseForReading } from '../../storage/open/database.ts';
import { openReadPool } from '../../storage/open/read-pool.ts';
import type { UnusableServer } from '../../storage/postgres/unusable-server.ts';
import type { StoreAddress } from '../../storage/store-address.ts';
import type { PackageRepository } from '../query/package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import { postgresQueue, wideSearchesIn } from './wide-search.ts';

export interface OpenPackageRepository extends PackageRepository {
  queue: WorkQueue | null;
  /** Why servers of the store cannot be used, by their names. */
  faults(): ReadonlyMap<string, UnusableServer>;
}

/**
 * Opens the store for searching, creating or upgrading it. Throws if a newer version wrote it. Without its
 * primary, PostgreSQL can be searched on a replica. `readers` serves wide searches of the embedded store. `completeStore` adds what an older version did not have.
 */
export async function openPackageRepository(
  store: StoreAddress,
  readers: WorkerThread,
): Promise<OpenPackageRepository> {
  if (store.kind === 'embedded') {
    await (await openDatabase(store)).close();
    const wide = wideSearchesIn(readers);
    const repository = sqlitePackageRepository(openDatabaseForReading(store), wide.api);
    return {
      ...repository,
      queue: wide.queue,
      faults: () => new Map(),
      async close() {
        await wide.stop();
        await repository.close();
      },
    };
  }
  let failure: unknown = null;
  try {
    await (await openDatabase(store)).close();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    failure = error;
  }
  const queue = postgresQueue();
  const pool = await openReadPool(store, REFERENCE_VERSION);
  const repository = { ...postgresPackageRepository(pool, queue), queue, faults: pool.faults };
  if (failure === null || (await canBeSearched(repository))) return repository;
  await repository.close();
  throw failure;
}

/** Opens an existing store for the server's own searches, which are small: without replicas and further threads. */
export async function openOwnRepository(store: StoreAddress): Promise<PackageRepository> {
  if (store.kind === 'embedded') return sqlitePackageRepository(openDatabaseForReading(store));
  return postgresPackageRepository(
    await openReadPool({ ...store, readUrls: [] }, REFERENCE_VERSION),
    postgresQueue(),
  );
}

function canBeSearched(repository: PackageRepository): Promise<boolean> {
  return repository.referenceVersion().then(
    () => true,
    () => false,
  );
}
