import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { inventoryWriter } from './inventory-writer.ts';
import { priceEffects } from './price-listeners.ts';

/**
 * Opens the store for writing, and creates it unless `isExisting`. Price history and alerts are updated in
 * the same transaction as the prices. Without `recordsPrices`, no history is recorded, because the sample's
 * is generated.
 */
export async function openInventoryWriter(
  store: StoreAddress,
  { recordsPrices = true, isExisting = false }: { recordsPrices?: boolean; isExisting?: boolean } = {},
): Promise<InventoryWriter> {
  const database = await openDatabase(store, { isExisting });
  return inventoryWriter(database, { ...priceEffects(database), recordsPrices });
}
