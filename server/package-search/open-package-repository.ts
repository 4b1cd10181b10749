import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { openDatabase, openDatabaseForReading } from '../storage/open/database.ts';
import { readPool } from '../storage/postgres/read-pool.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { PackageRepository } from './package-repository.ts';
import { postgresPackageRepository } from './postgres-package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import { wideWindows } from './wide-windows.ts';

/**
 * Opens the store for searching; makes it where there is none. Throws where it cannot be used or a newer version
 * wrote it. A PostgreSQL whose primary is not there can still be searched, where one of its replicas is.
 */
export async function openPackageRepository(store: StoreAddress): Promise<PackageRepository> {
  if (store.kind === 'embedded') {
    openDatabase(store).close();
    const wide = wideWindows(store);
    const repository = sqlitePackageRepository(openDatabaseForReading(store), wide.ask);
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
    openDatabase(store).close();
    return repository;
  } catch (error) {
    if (error instanceof StoreUnavailable && (await canBeSearched(repository))) return repository;
    await repository.close();
    throw error;
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
