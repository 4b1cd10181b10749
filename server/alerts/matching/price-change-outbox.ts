import { OFFER } from '../../inventory/offer-columns.ts';
import type { InventoryListener, PriceChange } from '../../inventory/price-changes.ts';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase } from '../../storage/sql-database.ts';
import { nextLogicalTime } from '../tables/logical-clock.ts';
import { packageLookup } from '../tables/package-lookup.ts';
import { type GonePrices, gonePrices } from './gone-prices.ts';
import { watchedPackageFinder } from './nearby-watches.ts';
import { hasActiveWatch, type MatchPriceDrops, priceDropMatcher } from './price-drop-listener.ts';
import {
  changesByRange,
  changesReadAhead,
  PRICE_CHANGES,
  type WaitingChange,
  type WaitingChanges,
  waitingColumns,
} from './waiting-changes.ts';

/**
 * Price changes that wait for their watches to be looked for, in PostgreSQL. They are written in the transaction that
 * writes the prices, with the logical time of its commit. Watches are looked for afterwards, in short transactions, so
 * that no sign-up waits for an import. The answer is the same: a watch that has started since has a later logical time,
 * and a change before it is no drop for it.
 */
export interface PriceChangeOutbox {
  /** Follows batches that are written row by row, and providers that are removed. */
  listener: InventoryListener;
  /** The number of the open transaction's changes, for statements that write them in sets. */
  batch(): number;
  /** Adds the offers of a provider that have returned in the open transaction. */
  addReturnsOf(providerCode: string): void;
  /** Gives the changes of the open transaction their logical time. Call it last: sign-ups wait from here to the commit. */
  seal(): void;
  /** Looks for the watches of all committed changes, in transactions that each hold the alerts for a short time. */
  settle(): void;
  /** Does so for the next of them, in one transaction. False if none is left. */
  settleNext(): boolean;
  /** What waits first, to compare with what waits later; null if nothing waits. */
  firstWaiting(): string | null;
}

/** How long one transaction may settle changes: sign-ups wait for it, in milliseconds. */
const SETTLING_MS = 100;

/**
 * The fewest and the most IDs of changes in one step of a transaction. How many take `SETTLING_MS` depends on their
 * watches.
 */
const SETTLED_AT_LEAST = 20;
const SETTLED_AT_MOST = 1_000;

/** The same for changes that concern no watch, which are only deleted. */
const FORGOTTEN_AT_ONCE = 10_000;

/** `openAhead` opens another connection, which reads large batches ahead while they are settled. */
export function priceChangeOutbox(
  database: SqlDatabase,
  now: () => number,
  openAhead: (() => SqlDatabase) | null = null,
): PriceChangeOutbox {
  const packages = packageLookup(database);
  const gone = gonePrices(database, packages, watchedPackageFinder(database, packages), now);
  const { table, batch: batchColumn, was, columns: offerColumns } = PRICE_CHANGES;
  const columns = [batchColumn, was, ...offerColumns];
  const open = database.prepare('insert into alert_price_batch (moment) values (null) returning id');
  const seal = database.prepare('update alert_price_batch set moment = ? where id = ?');
  const addRemoved = database.prepare(
    `insert into ${table} (${columns.join(', ')})
      select cast(? as bigint), null, ${offerColumns.join(', ')} from offer where provider = ?`,
  );
  const match = priceDropMatcher(database, packages, now);
  const { isWaiting, settleNext, firstWaiting } = settler(database, gone.keepRemoved, match);
  const byRange = changesByRange(database, packages);
  /** Null: the open transaction has no changes. It may belong to a transaction that was rolled back. */
  let current: number | null = null;
  const isCommittable = database.prepare('select 1 from alert_price_batch where id = ?');

  function batch(): number {
    if (current === null || isCommittable.row(current) === undefined) current = Number(open.row()?.[0]);
    return current;
  }

  function add(changes: readonly PriceChange[]): void {
    if (changes.length === 0) return;
    const number = batch();
    const rows = changes.map((change) => [number, change.old[OFFER.price], ...waitingColumns(change.new)]);
    database.addRows(table, columns, rows);
  }

  return {
    listener: {
      written: (offers, changes) => add([...changes, ...gone.takeReturns(offers)]),
      removingProvider: (provider) => void addRemoved.run(batch(), provider),
    },
    batch,
    addReturnsOf: (providerCode) => add(gone.takeReturnsOf(providerCode)),
    seal() {
      if (current === null) return;
      database.lock('alerts');
      // Whoever starts to watch after this transaction has seen its prices.
      if (hasActiveWatch(database)) seal.run(nextLogicalTime(database.sql), current);
      current = null;
    },
    settle() {
      if (!isWaiting()) return;
      const changes = openAhead === null ? byRange : changesReadAhead(openAhead);
      try {
        while (settleNext(changes));
      } finally {
        changes.close();
      }
    },
    settleNext: () => isWaiting() && settleNext(byRange),
    firstWaiting,
  };
}

/** Looks for the watches of committed changes, in the order of their logical times. */
function settler(
  database: SqlDatabase,
  keepRemoved: GonePrices['keepRemoved'],
  match: MatchPriceDrops,
): {
  /** Asked before a transaction, which others would wait for. */
  isWaiting(): boolean;
  settleNext(changes: WaitingChanges): boolean;
  firstWaiting: PriceChangeOutbox['firstWaiting'];
} {
  const next = database.prepare(
    'select id, moment from alert_price_batch order by moment nulls first, id limit 1',
  );
  const idsLeft = database.prepare(
    'select min(id), max(id) from alert_price_change where batch = ? and id > ?',
  );
  const remove = database.prepare('delete from alert_price_change where batch = ? and id between ? and ?');
  const conclude = database.prepare('delete from alert_price_batch where id = ?');
  let atOnce = SETTLED_AT_MOST;
  /** Index entries of deleted rows before it need not be read again. */
  let done: SettledChanges | null = null;

  function leftOf(batch: number): { first: number; last: number } | null {
    const [first, last] = idsLeft.row(batch, done?.batch === batch ? done.id : 0) ?? [];
    return typeof first === 'number' && typeof last === 'number' ? { first, last } : null;
  }

  /** `meanwhile` runs while the store answers what is asked about the changes. */
  function settle(all: readonly WaitingChange[], moment: number, meanwhile: () => void): void {
    const changed = all.flatMap(({ was, offer }) => (was === null ? [] : [{ was, offer }]));
    const finish = changed.length > 0 ? match(changed, moment) : null;
    meanwhile();
    finish?.();
    keepRemoved(all.flatMap(({ was, offer }) => (was === null ? [offer] : [])));
  }

  /** Settles changes step by step until the time is over, and returns the last ID. */
  function settleInTime(
    changes: WaitingChanges,
    { batch, moment, first, last }: { batch: number; moment: number; first: number; last: number },
  ): number {
    const begun = performance.now();
    for (let from = first; ; ) {
      const to = Math.min(last, from + atOnce - 1);
      const stepBegun = performance.now();
      settle(changes.read(batch, from, to), moment, () => {
        changes.prepare(batch, Math.min(last, to + atOnce));
      });
      const took = performance.now() - stepBegun;
      const fitting = Math.round((atOnce * SETTLING_MS) / took);
      atOnce = Math.min(SETTLED_AT_MOST, Math.max(SETTLED_AT_LEAST, fitting));
      if (to === last || stepBegun + 2 * took > begun + SETTLING_MS) return to;
      from = to + 1;
    }
  }

  /** Settles the next changes, and returns what is done then; null if there is nothing left. */
  function settleSome(changes: WaitingChanges): SettledChanges | null {
    const [batch, moment] = (next.row() ?? []) as [batch?: number, moment?: number | null];
    if (batch === undefined || moment === undefined) return null;
    const left = leftOf(batch);
    if (left === null) {
      conclude.run(batch);
      return { batch, id: 0 };
    }
    const { first, last } = left;
    const id =
      moment === null
        ? Math.min(last, first + FORGOTTEN_AT_ONCE - 1)
        : settleInTime(changes, { batch, moment, first, last });
    remove.start(batch, first, id);
    return { batch, id };
  }

  return {
    isWaiting: () => next.row() !== undefined,
    settleNext(changes) {
      const settled = inTransaction(database, () => settleSome(changes), 'alerts');
      done = settled ?? done;
      return settled !== null;
    },
    firstWaiting() {
      const batch = next.row()?.[0];
      return typeof batch === 'number' ? `${batch} ${String(leftOf(batch)?.first)}` : null;
    },
  };
}

/** The changes of a batch up to one with this ID are settled and deleted. */
interface SettledChanges {
  batch: number;
  id: number;
}

/** The prices are committed, so a store that fails now does not fail the import: the alerts' server settles the rest. */
export function settleLater(outbox: PriceChangeOutbox): void {
  try {
    outbox.settle();
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
  }
}
