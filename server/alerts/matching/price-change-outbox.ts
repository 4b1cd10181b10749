import * as v from 'valibot';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import type { PriceChangeListener } from '../../inventory/price-changes.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { nextLogicalTime } from '../records/logical-clock.ts';
import { hasActiveWatch, priceDropMatcher } from './price-drop-listener.ts';

/** Where price changes wait, as statements that write in sets name it. */
export const PRICE_CHANGES = { table: 'alert_price_change', was: 'was', offer: 'offer' } as const;

/**
 * Price changes that wait for their watches to be looked for, in PostgreSQL. They are written in the transaction that
 * writes the prices, with the logical time of its commit. Watches are looked for afterwards, in short transactions, so
 * that no sign-up waits for an import. The answer is the same: a watch that has started since has a later logical time,
 * and a change before it is no drop for it.
 */
export interface PriceChangeOutbox {
  add: PriceChangeListener;
  /** Gives the changes of the open transaction their logical time. Call it last: sign-ups wait from here to the commit. */
  seal(): void;
  /** Looks for the watches of all committed changes, also of importers that have stopped before they could. */
  settle(): void;
}

/** Changes in one transaction: a sign-up waits for no more than these. */
const BATCH = 1_000;

const offerRow = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.union([v.number(), v.string(), v.null()])),
  v.transform((row) => row as unknown as OfferRow),
);

export function priceChangeOutbox(database: SqlDatabase, now: () => number): PriceChangeOutbox {
  const match = priceDropMatcher(database, now);
  const hasUnsealed = database.prepare('select 1 from alert_price_change where moment is null limit 1');
  const seal = database.prepare('update alert_price_change set moment = ? where moment is null');
  const forget = database.prepare('delete from alert_price_change where moment is null');
  const next = database.prepare(
    `select moment, id, was, offer from alert_price_change where moment is not null order by moment, id limit ${BATCH}`,
  );
  const remove = database.prepare(`delete from alert_price_change where ${database.anyOf('id')}`);

  function settleBatch(): boolean {
    return inTransaction(
      database,
      () => {
        const rows = next.rows() as [moment: number, id: number, was: number, offer: string][];
        for (const [moment, changes] of Map.groupBy(rows, ([ofChange]) => ofChange)) {
          match(
            changes.map(([, , was, offer]) => ({ was, offer: v.parse(offerRow, offer) })),
            moment,
          );
        }
        remove.run(rows.map(([, id]) => id));
        return rows.length === BATCH;
      },
      'alerts',
    );
  }

  return {
    add(changes) {
      const rows = changes.map((change) => [change.old[OFFER.price], JSON.stringify(change.new)]);
      database.addRows(PRICE_CHANGES.table, [PRICE_CHANGES.was, PRICE_CHANGES.offer], rows);
    },
    seal() {
      if (hasUnsealed.row() === undefined) return;
      database.lock('alerts');
      // Whoever starts to watch after this transaction has seen its prices.
      if (hasActiveWatch(database)) seal.run(nextLogicalTime(database.sql));
      else forget.run();
    },
    settle() {
      if (next.row() === undefined) return;
      while (settleBatch());
    },
  };
}
