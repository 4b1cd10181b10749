import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { priceChangeQueue } from '../../server/alerts/matching/price-change-queue.ts';
import { packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { inTransaction } from '../../server/storage/in-transaction.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';

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
  function settleChanges(): { read: number; left: number } {
    const database = openDatabase(alerts.address);
    const packages = packageLookup(database);
    const offerOf = (itemKey = ''): OfferRow => {
      const found = packages.find(itemKey);
      if (found === null) throw new Error(`No package on sale has the key ${itemKey}`);
      return found.offer;
    };
    const [watched, other] = [offerOf(alerts.itemKeys[0]), offerOf(alerts.itemKeys.at(-1))];
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
    inTransaction(
      database,
      () => {
        queue.listener.written([], changes);
        queue.seal();
      },
      'offers of SUNW',
    );
    const before = rowsRead();
    queue.settle();
    database.sql.get`select pg_stat_force_next_flush()`;
    database.sql.get`select 1`;
    const left = Number(database.sql.get`select count(*) as left from alert_price_change`?.left);
    database.close();
    return { read: rowsRead() - before, left };
  }

  /** How many rows of a table were read since the server's start. */
  function rowsRead(table = 'alert_price_change'): number {
    const database = openDatabase(alerts.address);
    const row = database.sql.get`select idx_tup_fetch + seq_tup_read as read from pg_stat_user_tables
      where relname = ${table}`;
    database.close();
    return Number(row?.read ?? 0);
  }

  /** Adds watches for this package's resort on many days, before the database has statistics about them. */
  function addWatches(itemKey: string, watches: number): void {
    const database = openDatabase(alerts.address);
    const one = packageLookup(database).find(itemKey);
    if (one === null) throw new Error(`No package on sale has the key ${itemKey}`);
    database.exec('alter table alert_watch set (autovacuum_enabled = off)');
    database
      .prepare(`insert into alert_contact (contact_key, contact_sealed, created_at)
        select 'nobody ' || nth, '', 0 from generate_series(1, cast(? as integer)) as nth`)
      .run(watches);
    database
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
    database.close();
  }

  it('are all matched, each read once and deleted', async () => {
    await alerts.watch(dramaNumber(1), alerts.itemKeys[0] ?? '');
    const { read, left } = settleChanges();
    expect(left).toBe(0);
    expect(alerts.messages().filter(({ kind }) => kind === 'drop')).toHaveLength(1);
    expect(read).toBeGreaterThanOrEqual(CHANGES);
    expect(read).toBeLessThanOrEqual(2.5 * CHANGES);
  });

  it('are looked up among many watches, even before the database has statistics about them', () => {
    addWatches(alerts.itemKeys.at(-1) ?? '', WATCHES);
    const before = rowsRead('alert_watch');
    settleChanges();
    expect(rowsRead('alert_watch') - before).toBeLessThan(WATCHES);
  });

  it('are deleted if there are no watches, each read once', () => {
    const { read, left } = settleChanges();
    expect(left).toBe(0);
    expect(alerts.messages()).toEqual([]);
    expect(read).toBeLessThanOrEqual(2.5 * CHANGES);
  });
});
