import type { InventoryWriter } from '../inventory/inventory.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { inventoryWriter } from './inventory-writer.ts';
import { priceListeners } from './price-listeners.ts';

/**
 * Opens the store for loading; makes it where there is none. What follows from a price change is written in the
 * same transaction as the price. New offers are observed too, unless the inventory has a past of its own, as the
 * sample has.
 */
export async function openInventoryWriter(
  store: StoreAddress,
  { firstSightings = true }: { firstSightings?: boolean } = {},
): Promise<InventoryWriter> {
  const database = openDatabase(store);
  return inventoryWriter(database, { listeners: priceListeners(database), firstSightings });
}
