import type { InventoryWriter } from '../inventory/inventory.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { inventoryWriter } from './inventory-writer.ts';
import { priceListeners } from './price-listeners.ts';

/**
 * Opens the store for writing, and creates it if there is none, unless `isExisting`. Price observations and alerts are written in the same
 * transaction as the price. The prices of new offers are recorded too, unless the inventory has a generated history, as
 * the sample has.
 */
export async function openInventoryWriter(
  store: StoreAddress,
  { firstSightings = true, isExisting = false }: { firstSightings?: boolean; isExisting?: boolean } = {},
): Promise<InventoryWriter> {
  const database = openDatabase(store, { isExisting });
  return inventoryWriter(database, { listeners: priceListeners(database), firstSightings });
}
