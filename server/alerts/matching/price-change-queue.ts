import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pence } from '../../../domain/money.ts';
import { MissingRecord } from '../../inventory/catalogue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { PriceChange } from '../../inventory/price-changes.ts';
import type { InventoryListener } from '../../inventory/tables/inventory-writer.ts';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import type { SqlDatabase, SqlSession, SqlTransaction, SqlValue } from '../../storage/sql-database.ts';
import { nextLogicalTime } from '../tables/logical-clock.ts';
import { type PackageOnSale, packageLookup, packageNames } from '../tables/package-lookup.ts';
import { delistedPrices } from './delisted-prices.ts';
import { markWatches, queueLowPrices } from './low-prices.ts';
import { matchPriceDrops } from './price-drop-matcher.ts';
import { lookAtSome } from './search-looks.ts';

/** The queue's table, for imports that write sets of rows. `was` is null for a removed offer. */
export const PRICE_CHANGES = {
  table: 'alert_price_change',
  batch: 'batch',
  was: 'was',
  columns: [...KEY_COLUMNS, 'price', 'half_stars', 'departure_minute', 'expires_at', 'local_charge'],
} as const;

export type PriceChangeQueue = ReturnType<typeof priceChangeQueue>;

/** Target duration of a transaction, because sign-ups wait for it. */
const SETTLING_MS = 100;

/** The limits on changes per transaction: how many fit into `SETTLING_MS` depends on the affected watches. */
const MIN_CHANGES = 20;
const MAX_CHANGES = 5_000;

/**
 * Price changes that are not matched with watches yet. The transaction that writes prices queues them with
 * its logical time; short transactions match them later, so that sign-ups do not wait for an import. A watch
 * ignores changes from before it started.
 */
export function priceChangeQueue(database: SqlDatabase, now: () => number) {
  const names = packageNames();
  const delistedIn = (tx: SqlSession) => delistedPrices(tx, packageLookup(tx, names), now);
  /** The batches of open transactions. One without changes has none. */
  const batches = new WeakMap<SqlSession, number>();
  let maxChanges = MIN_CHANGES;
  /** The last change whose deletion is committed: later queries skip the dead index entries before it. */
  let settled = { batch: 0, id: 0 };
  /** The batch of which the watches of searches are marked. */
  let marked = 0;

  async function batch(tx: SqlSession): Promise<number> {
    const id =
      batches.get(tx) ??
      Number((await tx.sql.get`insert into alert_price_batch (moment) values (null) returning id`)?.id);
    batches.set(tx, id);
    return id;
  }

  async function queue(tx: SqlSession, changes: readonly PriceChange[]): Promise<void> {
    if (changes.length === 0 || (await isIgnored(tx))) return;
    const number = await batch(tx);
    const rows = changes.map((change) => [number, change.old[OFFER.price], ...queuedColumns(change.new)]);
    await tx.addRows('alert_price_change', ['batch', 'was', ...PRICE_CHANGES.columns], rows);
  }

  async function firstChange({
    sql,
  }: SqlSession): Promise<{ batch: number; moment: number | null; id: number | null } | null> {
    const next =
      await sql.get`select id, moment from alert_price_batch order by moment nulls first, id limit 1`;
    if (next === undefined) return null;
    const number = Number(next.id);
    const after = settled.batch === number ? settled.id : 0;
    const id = (
      await sql.get`select min(id) as id from alert_price_change where batch = ${number} and id > ${after}`
    )?.id;
    return {
      batch: number,
      moment: typeof next.moment === 'number' ? next.moment : null,
      id: typeof id === 'number' ? id : null,
    };
  }

  /** Returns `settled` as it is after the commit; null if there is nothing left to match. */
  async function settleSome(tx: SqlSession): Promise<typeof settled | null> {
    const { sql } = tx;
    const first = await firstChange(tx);
    if (first === null) return null;
    if (first.id === null) {
      await sql.run`delete from alert_low_price where batch = ${first.batch}`;
      await sql.run`delete from alert_price_batch where id = ${first.batch}`;
      return settled;
    }
    const begun = performance.now();
    const last = first.id + (first.moment === null ? MAX_CHANGES : maxChanges) - 1;
    // Without a logical time, there was no watch at the commit.
    if (first.moment !== null) {
      await match(tx, await tx.prepare(CHANGES_BETWEEN).rows(first.batch, first.id, last), first.moment);
      const fitting = Math.round((maxChanges * SETTLING_MS) / (performance.now() - begun));
      maxChanges = Math.min(MAX_CHANGES, 2 * maxChanges, Math.max(MIN_CHANGES, fitting));
    }
    await sql.run`delete from alert_price_change where batch = ${first.batch} and id between ${first.id} and ${last}`;
    return { batch: first.batch, id: last };
  }

  async function match(tx: SqlSession, rows: readonly SqlValue[][], moment: number): Promise<void> {
    const packages = packageLookup(tx, names);
    const offers = rows.map(offerOf);
    const { read } = await packages.reader(offers);
    const changes = offers.flatMap((offer, nth) => {
      const found = readable(read, offer);
      return found === null ? [] : [{ offer: found, was: (rows[nth]?.[0] ?? null) as Pence | null }];
    });
    const repriced = changes.flatMap(({ offer, was }) => (was === null ? [] : [{ offer, was }]));
    await matchPriceDrops(tx, packages, repriced, { moment, at: now() });
    const delisted = await delistedPrices(tx, packages, now);
    await delisted.keep(changes.flatMap(({ offer, was }) => (was === null ? [offer] : [])));
  }

  /** Matches some changes, or looks at some searches. Returns false if there is nothing left to do. */
  async function settleNext(): Promise<boolean> {
    // Outside the transaction, to keep it short.
    const first = await firstChange(database);
    if (first === null) return lookAtSome(database, 'changed', now());
    if (first.moment !== null && first.batch !== marked) {
      await markWatches(database, first.batch, now());
      marked = first.batch;
    }
    const last = await database.write('alerts', settleSome);
    if (last !== null) settled = last;
    return last !== null;
  }

  /** Queues price changes made outside imports, and a provider's removal. */
  const listener: InventoryListener = {
    async written(tx, offers, changes) {
      await queue(tx, [...changes, ...(await (await delistedIn(tx)).takeReturns(offers))]);
      await queueLowPrices(tx, batch, offers);
    },
    async removingProvider(tx, provider) {
      if (await isIgnored(tx)) return;
      await tx.prepare(`${QUEUE_REMOVED} where provider = ?`).run(await batch(tx), provider);
    },
  };

  return {
    listener,
    /** The transaction's batch number, for imports that write sets of rows. */
    batch,
    /** Queues the provider's offers that have returned in the transaction. */
    queueReturnsOf: async (tx: SqlSession, providerCode: string) =>
      queue(tx, await (await delistedIn(tx)).takeReturnsOf(providerCode)),
    /** Gives the transaction's changes their logical time. Call it last: sign-ups wait from here. */
    async seal(tx: SqlTransaction): Promise<void> {
      // A best package may have expired meanwhile.
      const minute = Math.floor(now() / 60_000);
      const gone = await tx.sql.get`select 1 from alert_search_best where gone_at <= ${minute} limit 1`;
      if (gone !== undefined) await batch(tx);
      const id = batches.get(tx);
      if (id === undefined) return;
      await tx.lock('alerts');
      // Without an active watch, none can need these changes: a watch that starts later starts from these
      // prices.
      if (await hasActiveWatch(tx))
        await tx.sql
          .run`update alert_price_batch set moment = ${await nextLogicalTime(tx.sql)} where id = ${id}`;
    },
    /** Matches all committed changes. If the store becomes unavailable, the server matches the rest. */
    async settle(): Promise<void> {
      try {
        while (await settleNext());
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
      }
    },
    /** Matches all committed changes, a few per turn of the event loop, until `stopping` is aborted. */
    async settleInTurns(stopping: AbortSignal): Promise<void> {
      while (!stopping.aborted && ((await settleNext()) || (await lookAtSome(database, 'daily', now()))))
        await nextTurn();
    },
  };
}

const QUEUE_REMOVED = `insert into alert_price_change (batch, was, ${PRICE_CHANGES.columns.join(', ')})
  select cast(? as bigint), null, ${PRICE_CHANGES.columns.join(', ')} from offer`;

/** By ranges of IDs, because PostgreSQL may sort the whole batch for each query with a limit. */
const CHANGES_BETWEEN = `select was, ${PRICE_CHANGES.columns.join(', ')} from alert_price_change
  where batch = ? and id between ? and ? order by id`;

/** In SQLite, no watch can start during the transaction: if none is active before, no changes are queued. */
export async function isIgnored(tx: SqlSession): Promise<boolean> {
  return tx.engine === 'sqlite' && !(await hasActiveWatch(tx));
}

async function hasActiveWatch({ sql }: SqlSession): Promise<boolean> {
  return (await sql.get`select 1 from alert_watch where state = 'active' limit 1`) !== undefined;
}

const QUEUED = PRICE_CHANGES.columns.map((column) => OFFER_COLUMNS.indexOf(column));

/** The values of an offer in `PRICE_CHANGES.columns`. */
export function queuedColumns(offer: OfferRow): SqlValue[] {
  return QUEUED.map((at) => offer[at] ?? null);
}

/** The offer of a queued row, with placeholders for columns that are not queued. */
function offerOf([, ...columns]: readonly SqlValue[]): OfferRow {
  const key = columns.slice(0, KEY_COLUMNS.length);
  const [price, halfStars, departureMinute, expiresAt, localCharge] = columns.slice(KEY_COLUMNS.length);
  const rest = [price, null, halfStars, departureMinute, 0, 0, 0, expiresAt, 0, null, localCharge, 0];
  return [...key, ...rest] as unknown as OfferRow;
}

/** Reads a queued offer; null if one of its records was removed in the meantime. */
function readable(read: (offer: OfferRow) => PackageOnSale, offer: OfferRow): PackageOnSale | null {
  try {
    return read(offer);
  } catch (error) {
    if (error instanceof MissingRecord) return null;
    throw error;
  }
}
