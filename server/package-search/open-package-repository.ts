import { openDatabase, openDatabaseForReading } from '../storage/open-database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { PackageRepository } from './package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import { wideWindowsInWorker } from './wide-windows-in-worker.ts';

/**
 * Opens the store for searching; makes it where there is none. Throws where it cannot be used or a newer version wrote it.
 */
export async function openPackageRepository(store: StoreAddress): Promise<PackageRepository> {
  openDatabase(store).close();
  return wideWindowsInWorker(sqlitePackageRepository(openDatabaseForReading(store)), store);
}
