import { type PriceChangeOutbox, priceChangeOutbox } from '../alerts/matching/price-change-outbox.ts';
import { priceDropListener } from '../alerts/matching/price-drop-listener.ts';
import { alertClock } from '../environment/clock.ts';
import type { PriceChangeListener } from '../inventory/price-changes.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { priceObserver } from '../price-history/price-observer.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';

/** What follows from price changes: the price history and the alerts. */
export interface PriceEffects {
  /** Called in the transaction that writes the prices. */
  listeners: readonly PriceChangeListener[];
  /** Called last in that transaction. */
  beforeCommit(): void;
  afterCommit(): void;
}

/**
 * The effects on this store. In PostgreSQL, price changes are written in the transaction, and their watches are looked
 * for after it; in the embedded store, in the transaction, because there is one writer anyway.
 */
export function priceEffects(database: SqlDatabase): PriceEffects {
  const observe = priceObserver(database);
  if (database.engine === 'sqlite') {
    return {
      listeners: [observe, priceDropListener(database, alertClock)],
      beforeCommit() {},
      afterCommit() {},
    };
  }
  const outbox = priceChangeOutbox(database, alertClock);
  return {
    listeners: [observe, outbox.add],
    beforeCommit: outbox.seal,
    afterCommit: () => settleLater(outbox),
  };
}

/** The prices are committed, so a store that fails now does not fail the import: the alerts' server settles the rest. */
export function settleLater(outbox: PriceChangeOutbox): void {
  try {
    outbox.settle();
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
  }
}
