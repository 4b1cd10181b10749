import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { priceChangeQueue } from '../../server/alerts/matching/price-change-queue.ts';
import { packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import type { PriceChange } from '../../server/inventory/price-changes.ts';
import { StoreUnavailable } from '../../server/lib/store-unavailable.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';

const CHANGES = 5_000;
const WATCHES = 20_000;

describe('Price changes in the queue for alerts', () => {
  let alerts: SmallAlerts;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store: 'postgresql' });
  });
  afterEach(() => alerts.close());

  /**
   * Writes many price rises of one package and, near the end, one fall of the watched package. Then matches
   * them with watches.
   */
  async function settleChanges(): Promise<{ read: number; left: number }> {
    const database = await openDatabase(alerts.address);
    const packages = packageLookup(database);
    const offerOf = async (itemKey = ''): Promise<OfferRow> => {
      const found = await packages.find(itemKey);
      if (found === null) throw new Error(`No package on sale has the key ${itemKey}`);
      return found.offer;
    };
    const [watched, other] = [await offerOf(alerts.itemKeys[0]), await offerOf(alerts.itemKeys.at(-1))];
    const changed = (old: OfferRow, price: number) => ({
      old,
      new: old.with(OFFER.price, price) as unknown as OfferRow,
    });
    const changes = Array.from({ length: CHANGES }, (_, nth) =>
      nth === CHANGES - 7
        ? changed(watched, Math.floor(watched[OFFER.price] / 2))
        : changed(other, other[OFFER.price] + nth + 1),
    );
    const queue = priceChangeQueue(database, alerts.now);
    await database.write('offers of SUNW', async (tx) => {
      await queue.listener.written(tx, [], changes);
      await queue.seal(tx);
    });
    const before = await rowsRead();
    await queue.settle();
    await database.sql.get`select pg_stat_force_next_flush()`;
    await database.sql.get`select 1`;
    const left = Number((await database.sql.get`select count(*) as left from alert_price_change`)?.left);
    await database.close();
    return { read: (await rowsRead()) - before, left };
  }

  /** How many rows of a table were read since the server's start. */
  async function rowsRead(table = 'alert_price_change'): Promise<number> {
    const database = await openDatabase(alerts.address);
    const row = await database.sql.get`select idx_tup_fetch + seq_tup_read as read from pg_stat_user_tables
      where relname = ${table}`;
    await database.close();
    return Number(row?.read ?? 0);
  }

  /** Adds watches for this package's resort on many days, before the database has statistics about them. */
  async function addWatches(itemKey: string, watches: number): Promise<void> {
    const database = await openDatabase(alerts.address);
    const one = await packageLookup(database).find(itemKey);
    if (one === null) throw new Error(`No package on sale has the key ${itemKey}`);
    await database.exec('alter table alert_watch set (autovacuum_enabled = off)');
    await database
      .prepare(`insert into alert_contact (contact_key, contact_sealed, created_at)
        select 'nobody ' || nth, '', 0 from generate_series(1, cast(? as integer)) as nth`)
      .run(watches);
    await database
      .prepare(`insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day, airport, board,
          half_stars, departs_at, state, started, created_at)
        select id, 1, ?, ?, ?, ?, 60000 + id, ?, ?, ?, ?, 'active', 0, 0 from alert_contact where contact_key like 'nobody %'`)
      .run(
        one.itemKey,
        resortKey(one),
        one.nights,
        one.party,
        one.airport,
        one.board,
        one.halfStars,
        one.departsAt,
      );
    await database.close();
  }

  it('are all matched, each read once and deleted', async () => {
    await alerts.watch(dramaNumber(1), alerts.itemKeys[0] ?? '');
    const { read, left } = await settleChanges();
    expect(left).toBe(0);
    expect((await alerts.messages()).filter(({ kind }) => kind === 'drop')).toHaveLength(1);
    expect(read).toBeGreaterThanOrEqual(CHANGES);
    expect(read).toBeLessThanOrEqual(2.5 * CHANGES);
  });

  it('are looked up among many watches, even before the database has statistics about them', async () => {
    await addWatches(alerts.itemKeys.at(-1) ?? '', WATCHES);
    const before = await rowsRead('alert_watch');
    await settleChanges();
    expect((await rowsRead('alert_watch')) - before).toBeLessThan(WATCHES);
  });

  it('are deleted if there are no watches, each read once', async () => {
    const { read, left } = await settleChanges();
    expect(left).toBe(0);
    expect(await alerts.messages()).toEqual([]);
    expect(read).toBeLessThanOrEqual(2.5 * CHANGES);
  });
});

describe.each(ALL_STORE_KINDS)('The queue of price changes, in the %s store', (store) => {
  let alerts: SmallAlerts;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store });
  });
  afterEach(() => alerts.close());

  const drops = async () => (await alerts.messages()).filter(({ kind }) => kind === 'drop');
  /** A price change of the first package to half its price. */
  async function halving(database: SqlDatabase): Promise<PriceChange> {
    const found = await packageLookup(database).find(alerts.itemKeys[0] ?? '');
    if (found === null) throw new Error('The first package is not on sale');
    const { offer } = found;
    const price = Math.floor(offer[OFFER.price] / 2);
    return { old: offer, new: offer.with(OFFER.price, price) as unknown as OfferRow };
  }

  it('matches price changes again after a failed commit', async () => {
    await alerts.watch(dramaNumber(1), alerts.itemKeys[0] ?? '');
    await using database = await openDatabase(alerts.address);
    const queue = priceChangeQueue(database, alerts.now);
    const change = await halving(database);
    const { write } = database;
    await write('offers of SUNW', async (tx) => {
      await queue.listener.written(tx, [], [change]);
      await queue.seal(tx);
    });
    database.write = (lock, work) =>
      write(lock, async (tx) => {
        await work(tx);
        throw new StoreUnavailable();
      });
    await queue.settle();
    expect(await drops()).toEqual([]);
    database.write = write;
    await queue.settle();
    expect(await drops()).toHaveLength(1);
  });

  it("keeps the time of another process's price changes after a failed import", async () => {
    const itemKey = alerts.itemKeys[0] ?? '';
    await alerts.watch(dramaNumber(1), itemKey);
    await using database = await openDatabase(alerts.address);
    await using other = await openDatabase(alerts.address);
    const queue = priceChangeQueue(database, alerts.now);
    const otherQueue = priceChangeQueue(other, alerts.now);
    const change = await halving(database);
    const failed = database.write('offers of SUNW', async (tx) => {
      await queue.listener.written(tx, [], [change]);
      throw new Error('The import fails');
    });
    await expect(failed).rejects.toThrow('The import fails');
    await other.write('offers of SUNW', async (tx) => {
      await otherQueue.listener.written(tx, [], [change]);
      await otherQueue.seal(tx);
    });
    await alerts.watch(dramaNumber(2), itemKey);
    // An import that changes nothing.
    await database.write('offers of SUNW', queue.seal);
    await queue.settle();
    expect(await drops()).toHaveLength(1);
  });
});
