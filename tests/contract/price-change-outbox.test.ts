import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { priceChangeOutbox } from '../../server/alerts/matching/price-change-outbox.ts';
import { packageLookup } from '../../server/alerts/records/package-lookup.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { inTransaction } from '../../server/storage/in-transaction.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts, type SmallAlerts } from '../fixtures/alerts/small-alerts.ts';

const CHANGES = 5_000;

describe('Price changes that wait for their watches', () => {
  let alerts: SmallAlerts;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store: 'postgresql' });
  });
  afterEach(() => alerts.close());

  /** Writes and settles many rises of one package, with a fall of the first package among the last of them. */
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
    const outbox = priceChangeOutbox(database, alerts.now);
    inTransaction(
      database,
      () => {
        outbox.listener.written([], changes);
        outbox.seal();
      },
      'offers of SUNW',
    );
    const before = rowsRead();
    outbox.settle();
    database.sql.get`select pg_stat_force_next_flush()`;
    database.sql.get`select 1`;
    const left = Number(database.sql.get`select count(*) as left from alert_price_change`?.left);
    database.close();
    return { read: rowsRead() - before, left };
  }

  /** Rows of waiting changes that were read by an index since the server's start. */
  function rowsRead(): number {
    const database = openDatabase(alerts.address);
    const row = database.sql.get`select idx_tup_fetch as read from pg_stat_user_tables
      where relname = 'alert_price_change'`;
    database.close();
    return Number(row?.read ?? 0);
  }

  it('are all looked at, each read once and deleted', async () => {
    await alerts.watch(dramaNumber(1), alerts.itemKeys[0] ?? '');
    const { read, left } = settleChanges();
    expect(left).toBe(0);
    expect(alerts.messages().filter(({ kind }) => kind === 'drop')).toHaveLength(1);
    expect(read).toBeGreaterThanOrEqual(CHANGES);
    expect(read).toBeLessThanOrEqual(2.5 * CHANGES);
  });

  it('are deleted, each read once, where nobody watches', () => {
    const { read, left } = settleChanges();
    expect(left).toBe(0);
    expect(alerts.messages()).toEqual([]);
    expect(read).toBeLessThanOrEqual(2.5 * CHANGES);
  });
});
