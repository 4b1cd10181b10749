import { fromDayNumber } from '../domain/calendar-date.ts';
import { errorWords } from './error-words.ts';
import type { InventoryStatus } from './inventory-status.ts';
import type { Lifecycle } from './lifecycle.ts';
import { logLine } from './log-line.ts';
import type { KnownStoreFacts } from './metrics/store-facts.ts';

/** What the store holds, into the status. A store that cannot be counted leaves the status as it is. */
export async function countInventory(
  facts: KnownStoreFacts,
  inventory: InventoryStatus,
  lifecycle: Readonly<Lifecycle>,
): Promise<null> {
  try {
    const { offers, lastDeparture } = await facts.refresh();
    inventory.offers = offers;
    inventory.throughDay = lastDeparture === null ? null : fromDayNumber(lastDeparture);
  } catch (error) {
    if (!lifecycle.isStopping) logLine('warn', `The store could not be counted: ${errorWords(error)}`);
  }
  return null;
}
