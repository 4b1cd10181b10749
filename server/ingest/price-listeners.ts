import { alertListener } from '../alerts/matching/alert-listener.ts';
import { priceChangeOutbox, settleLater } from '../alerts/matching/price-change-outbox.ts';
import { alertClock } from '../environment/clock.ts';
import type { InventoryListener } from '../inventory/price-changes.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** What follows from written prices: the price history, unless it is generated, and the alerts. */
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
export function priceEffects(
  database: SqlDatabase,
  { recordsPrices = true }: { recordsPrices?: boolean } = {},
): PriceEffects {
  const history = recordsPrices ? [historyListener(database)] : [];
  if (database.engine === 'sqlite') {
    const alerts = alertListener(database, alertClock);
    return { listeners: [...history, alerts], beforeCommit() {}, afterCommit() {} };
  }
  const outbox = priceChangeOutbox(database, alertClock);
  return {
    listeners: [...history, outbox.listener],
    beforeCommit: outbox.seal,
    afterCommit: () => settleLater(outbox),
  };
}

function historyListener(database: SqlDatabase): InventoryListener {
  const observe = priceObserver(database);
  return {
    written(_offers, changes) {
      if (changes.length > 0) observe(changes);
    },
  };
}
