import { alertListener } from '../alerts/matching/alert-listener.ts';
import { priceChangeOutbox, settleLater } from '../alerts/matching/price-change-outbox.ts';
import { alertClock } from '../environment/clock.ts';
import type { InventoryListener } from '../inventory/price-changes.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** What the alerts do about written prices. */
export interface PriceEffects {
  /** Called in the transaction that writes the inventory. */
  listeners: readonly InventoryListener[];
  /** Called last in that transaction. */
  beforeCommit(): void;
  afterCommit(): void;
}

/**
 * The effects on this store. In PostgreSQL, price changes are written in the transaction, and their watches are looked
 * for after it; in the embedded store, in the transaction, because there is one writer anyway.
 */
export function priceEffects(database: SqlDatabase): PriceEffects {
  if (database.engine === 'sqlite') {
    return { listeners: [alertListener(database, alertClock)], beforeCommit() {}, afterCommit() {} };
  }
  const outbox = priceChangeOutbox(database, alertClock);
  return {
    listeners: [outbox.listener],
    beforeCommit: outbox.seal,
    afterCommit: () => settleLater(outbox),
  };
}
