import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pence } from '../../../domain/money.ts';
import { MissingRecord } from '../../inventory/catalogue.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../../inventory/offer-columns.ts';
import type { InventoryListener, PriceChange } from '../../inventory/price-changes.ts';
import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { SqlDatabase, SqlValue } from '../../storage/sql-database.ts';
import { nextLogicalTime } from '../tables/logical-clock.ts';
import { type PackageOnSale, packageLookup } from '../tables/package-lookup.ts';
import { delistedPrices } from './delisted-prices.ts';
import { priceDropMatcher } from './price-drop-matcher.ts';

/** The queue's table, for imports that write sets of rows. `was` is null for a removed offer. */
export const PRICE_CHANGES = {
  table: 'alert_price_change',
  batch: 'batch',
  was: 'was',
  columns: [...KEY_COLUMNS, 'price', 'half_stars', 'departure_minute', 'expires_at', 'local_charge'],
} as const;

export type PriceChangeQueue = Awaited<ReturnType<typeof priceChangeQueue>>;

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
export async function priceChangeQueue(database: SqlDatabase, now: () => number) {
  const { sql } = database;
  const packages = packageLookup(database);
  const delisted = await delistedPrices(database, packages, now);
  const matchPriceDrops = await priceDropMatcher(database, packages, now);
  const columns = PRICE_CHANGES.columns.join(', ');
  const removed = `insert into alert_price_change (batch, was, ${columns})
    select cast(? as bigint), null, ${columns} from offer`;
  const queueRemoved = database.prepare(`${removed} where ${IS_OFFER}`);
  const queueRemovedOf = database.prepare(`${removed} where provider = ?`);
  const isOpen = database.prepare('select 1 from alert_price_batch where id = ? and moment is null');
  // By ranges of IDs, because PostgreSQL may sort the whole batch for each query with a limit.
  const changesBetween = database.prepare(`select was, ${columns} from alert_price_change
    where batch = ? and id between ? and ? order by id`);
  const removeBetween = database.prepare(
    'delete from alert_price_change where batch = ? and id between ? and ?',
  );
  const firstAfter = database.prepare('select min(id) from alert_price_change where batch = ? and id > ?');
  /** The open transaction's batch; null if it has no changes. May be from a transaction that was rolled back. */
  let current: number | null = null;
  let maxChanges = MIN_CHANGES;
  /** The last deleted change: later queries skip the dead index entries before it. */
  let settled = { batch: 0, id: 0 };

  async function batch(): Promise<number> {
    if (current === null || (await isOpen.row(current)) === undefined)
      current = Number(
        (await sql.get`insert into alert_price_batch (moment) values (null) returning id`)?.id,
      );
    return current;
  }

  /** In SQLite, no watch can start during the transaction: if none is active before, no changes are queued. */
  const isIgnored = async () => database.engine === 'sqlite' && !(await hasActiveWatch(database));

  async function queue(changes: readonly PriceChange[]): Promise<void> {
    if (changes.length === 0 || (await isIgnored())) return;
    const number = await batch();
    const rows = changes.map((change) => [number, change.old[OFFER.price], ...queuedColumns(change.new)]);
    await database.addRows('alert_price_change', ['batch', 'was', ...PRICE_CHANGES.columns], rows);
  }

  async function firstChange(): Promise<{ batch: number; moment: number | null; id: number | null } | null> {
    const next =
      await sql.get`select id, moment from alert_price_batch order by moment nulls first, id limit 1`;
    if (next === undefined) return null;
    const number = Number(next.id);
    const id = (await firstAfter.row(number, settled.batch === number ? settled.id : 0))?.[0];
    return {
      batch: number,
      moment: typeof next.moment === 'number' ? next.moment : null,
      id: typeof id === 'number' ? id : null,
    };
  }

  async function settleSome(): Promise<boolean> {
    const first = await firstChange();
    if (first === null) return false;
    if (first.id === null) {
      await sql.run`delete from alert_price_batch where id = ${first.batch}`;
      return true;
    }
    const begun = performance.now();
    const last = first.id + (first.moment === null ? MAX_CHANGES : maxChanges) - 1;
    // Without a logical time, there was no watch at the commit.
    if (first.moment !== null) {
      await match(await changesBetween.rows(first.batch, first.id, last), first.moment);
      const fitting = Math.round((maxChanges * SETTLING_MS) / (performance.now() - begun));
      maxChanges = Math.min(MAX_CHANGES, 2 * maxChanges, Math.max(MIN_CHANGES, fitting));
    }
    await removeBetween.run(first.batch, first.id, last);
    settled = { batch: first.batch, id: last };
    return true;
  }

  async function match(rows: readonly SqlValue[][], moment: number): Promise<void> {
    const offers = rows.map(offerOf);
    const read = await (await packages.batchReader())(offers);
    const changes = offers.flatMap((offer, nth) => {
      const found = readable(read, offer);
      return found === null ? [] : [{ offer: found, was: (rows[nth]?.[0] ?? null) as Pence | null }];
    });
    await matchPriceDrops(
      changes.flatMap(({ offer, was }) => (was === null ? [] : [{ offer, was }])),
      moment,
    );
    await delisted.keep(changes.flatMap(({ offer, was }) => (was === null ? [offer] : [])));
  }

  // Checks for changes before the transaction, to keep it short.
  const settleNext = async () =>
    (await firstChange()) !== null && (await inTransaction(database, settleSome, 'alerts'));

  /** Queues the changes of batches that are written row by row, and removals. */
  const listener: InventoryListener = {
    written: async (offers, changes) => queue([...changes, ...(await delisted.takeReturns(offers))]),
    async removing(keys) {
      if (keys.length === 0 || (await isIgnored())) return;
      const number = await batch();
      for (const key of keys) await queueRemoved.run(number, ...key);
    },
    async removingProvider(provider) {
      if (!(await isIgnored())) await queueRemovedOf.run(await batch(), provider);
    },
  };

  return {
    listener,
    /** The open transaction's batch number, for imports that write sets of rows. */
    batch,
    /** Queues the provider's offers that have returned in the open transaction. */
    queueReturnsOf: async (providerCode: string) => queue(await delisted.takeReturnsOf(providerCode)),
    /** Gives the open transaction's changes their logical time. Call it last: sign-ups wait from here. */
    async seal(): Promise<void> {
      if (current === null) return;
      await database.lock('alerts');
      // Without an active watch, none can need these changes: a watch that starts later starts from these
      // prices.
      if (await hasActiveWatch(database))
        await sql.run`update alert_price_batch set moment = ${await nextLogicalTime(sql)} where id = ${current}`;
      current = null;
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
      while (!stopping.aborted && (await settleNext())) await nextTurn();
    },
  };
}

async function hasActiveWatch({ sql }: SqlDatabase): Promise<boolean> {
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
  const rest = [price, null, halfStars, departureMinute, 0, 0, 0, expiresAt, 0, null, localCharge];
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
