import type { InventoryWriter } from '../inventory/inventory.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { inventoryWriter } from './inventory-writer.ts';
import { priceEffects } from './price-listeners.ts';

/**
 * Opens the store for writing, and creates it unless `isExisting`. Price history and alerts are written in
 * the price's transaction. Without `recordsPrices` no price is recorded: the sample has a generated history.
 */
export async function openInventoryWriter(
  store: StoreAddress,
  { recordsPrices = true, isExisting = false }: { recordsPrices?: boolean; isExisting?: boolean } = {},
): Promise<InventoryWriter> {
  const database = openDatabase(store, { isExisting });
  return inventoryWriter(database, {
    ...priceEffects(database),
    recordsPrices,
  });
}
