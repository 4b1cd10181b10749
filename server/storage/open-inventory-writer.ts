import { priceObserver } from '../price-history/price-observer.ts';
import type { InventoryWriter } from './inventory.ts';
import { openDatabase } from './open-database.ts';
import { sqliteInventoryWriter } from './sqlite-inventory-writer.ts';

/**
 * Opens the store of a data folder for loading; makes the store where there is none. What follows from a price
 * change is written in the same transaction as the price.
 */
export async function openInventoryWriter(dataDir: string): Promise<InventoryWriter> {
  const database = openDatabase(dataDir);
  return sqliteInventoryWriter(database, [priceObserver(database)]);
}
