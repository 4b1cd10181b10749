import { openDatabase, openDatabaseForReading } from '../storage/open-database.ts';
import type { PackageRepository } from './package-repository.ts';
import { sqlitePackageRepository } from './sqlite-package-repository.ts';
import { wideWindowsInWorker } from './wide-windows-in-worker.ts';

/**
 * Opens the store of a data folder for searching; makes it where there is none. Throws where the folder
 * cannot be used or a newer version wrote it.
 */
export async function openPackageRepository(dataDir: string): Promise<PackageRepository> {
  openDatabase(dataDir).close();
  return wideWindowsInWorker(sqlitePackageRepository(openDatabaseForReading(dataDir)), dataDir);
}
