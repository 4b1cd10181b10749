import { priceDropListener } from '../alerts/price-drop-listener.ts';
import { observeFirstSightings } from '../price-history/first-sightings.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { InventoryWriter } from './inventory.ts';
import { openDatabase } from './open-database.ts';
import { sqliteInventoryWriter } from './sqlite-inventory-writer.ts';

/**
 * Opens the store of a data folder for loading; makes the store where there is none. What follows from a price
 * change is written in the same transaction as the price. New offers are observed too, unless the inventory has
 * a past of its own, as the sample has.
 */
export async function openInventoryWriter(
  dataDir: string,
  { firstSightings = true }: { firstSightings?: boolean } = {},
): Promise<InventoryWriter> {
  const database = openDatabase(dataDir);
  if (firstSightings) observeFirstSightings(database);
  return sqliteInventoryWriter(database, [priceObserver(database), priceDropListener(database, Date.now)]);
}
