import { priceChangeQueue } from '../alerts/matching/price-change-queue.ts';
import { alertClock } from '../environment/clock.ts';
import type { InventoryListener } from '../inventory/tables/inventory-writer.ts';
import type { SqlDatabase, SqlTransaction } from '../storage/sql-database.ts';

/** What the alerts do when prices are written. */
export interface PriceEffects {
  /** Called in the transaction that writes the inventory. */
  listeners: readonly InventoryListener[];
  /** Called last in that transaction. */
  beforeCommit(tx: SqlTransaction): Promise<void>;
  afterCommit(): Promise<void>;
}

/** Queues price changes in the transaction, and matches them with watches after the commit. */
export function priceEffects(database: SqlDatabase, now: () => number = alertClock): PriceEffects {
  const { listener, seal, settle } = priceChangeQueue(database, now);
  return { listeners: [listener], beforeCommit: seal, afterCommit: settle };
}
