import { priceChangeQueue } from '../alerts/matching/price-change-queue.ts';
import { alertClock } from '../environment/clock.ts';
import type { InventoryListener } from '../inventory/price-changes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** What the alerts do when prices are written. */
export interface PriceEffects {
  /** Called in the transaction that writes the inventory. */
  listeners: readonly InventoryListener[];
  /** Called last in that transaction. */
  beforeCommit(): Promise<void>;
  afterCommit(): Promise<void>;
}

/** Queues price changes in the transaction, and matches them with watches after the commit. */
export async function priceEffects(
  database: SqlDatabase,
  now: () => number = alertClock,
): Promise<PriceEffects> {
  const { listener, seal, settle } = await priceChangeQueue(database, now);
  return { listeners: [listener], beforeCommit: seal, afterCommit: settle };
}
