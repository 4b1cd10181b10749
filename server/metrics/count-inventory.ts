import { fromDayNumber } from '../../domain/calendar-date.ts';
import { errorMessage } from '../lib/error-message.ts';
import { log } from '../lib/log.ts';
import type { InventoryStatus, ServerStatus } from '../lib/server-status.ts';
import type { KnownStoreFacts } from './store-facts.ts';

/** Updates the status with the store's counts. If counting fails, keeps the last ones. */
export async function countInventory(
  facts: KnownStoreFacts,
  inventory: InventoryStatus,
  serverStatus: Readonly<ServerStatus>,
): Promise<null> {
  try {
    const { offers, lastDeparture } = await facts.refresh();
    inventory.offers = offers;
    inventory.throughDay = lastDeparture === null ? null : fromDayNumber(lastDeparture);
  } catch (error) {
    if (!serverStatus.isStopping) log.warn(`The store could not be counted: ${errorMessage(error)}`);
  }
  return null;
}
