import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';
import { londonDay } from '../../domain/london-time.ts';
import { holdTransaction } from '../../tests/fixtures/held-transaction.ts';
import { ALL_STORE_KINDS } from '../../tests/fixtures/shared-store-kinds.ts';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { inventoryWriter } from '../ingest/inventory-writer.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { IS_OFFER, KEY_COLUMNS, londonDaySql, OFFER, type OfferKey } from '../inventory/offer-columns.ts';
import { offerTable } from '../inventory/tables/offer-table.ts';
import { removeOffersBefore, removeOffersOf } from '../inventory/tables/remove-offers.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase, SqlSession, SqlTransaction } from '../storage/sql-database.ts';
import { analysePrices } from './analyse-prices.ts';
import { HISTORY_KEY_COLUMNS, historyKeyOf, IS_IN_HISTORY } from './history-key.ts';
import { PRICE_RUNS } from './history-table.ts';
import { packageHistoryReader } from './package-history.ts';

const MINUTE = Math.floor(NOW / 60_000);
const TODAY = Math.floor(MINUTE / 1440);
const catalogue = wholeCatalogue(REFERENCE);
const codes = offerCodes(catalogue);
const onSale = smallOffers().filter((offer) => offer[OFFER.expiresAt] > MINUTE);
const everywhere = () => new Set(['LGW', 'STN', 'MAN']);

describe.each(ALL_STORE_KINDS)('The days on which a price was seen, in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;

  beforeAll(async () => {
    store = await makeStore(kind);
    const writer = inventoryWriter(await openDatabase(store.address));
    await writer.replaceReference(REFERENCE);
    await writer.close();
    database = await openDatabase(store.address);
  });

  afterAll(async () => {
    await database.close();
    await store.remove();
  });

  const writeRows = (rows: readonly OfferRow[]) =>
    database.write('records', async (tx) => (await offerTable(tx, { runs: PRICE_RUNS })).write(rows));

  const write = (some: readonly OfferRow[], daysAgo: number) =>
    writeRows(some.map((offer) => seen(offer, daysAgo)));

  const pricesOf = async (offer: OfferRow, daysAgo: number) =>
    (await packageHistoryReader(database, (_, price) => price)(seen(offer, daysAgo), TODAY)).daily.map(
      ({ day, price }) => [TODAY - day, price],
    );

  const rolledBack = async (work: (tx: SqlTransaction) => Promise<void>) => {
    const held = await holdTransaction(database);
    try {
      await held.run(work);
    } finally {
      await held.rollback();
    }
  };

  const daysOf = async (offer: OfferRow, daysAgo: number) =>
    (await packageHistoryReader(database, (_, price) => price)(seen(offer, daysAgo), TODAY)).daily.map(
      ({ day }) => TODAY - day,
    );

  it('include each day of an uninterrupted feed', async () => {
    const [offer] = onSale.slice(0, 1) as [OfferRow];
    for (const daysAgo of [6, 5, 4, 3, 2, 1]) await write([offer], daysAgo);
    expect(await daysOf(offer, 1)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('are one day for a package that was seen once', async () => {
    const [offer] = onSale.slice(1, 2) as [OfferRow];
    await write([offer], 60);
    expect(await daysOf(offer, 60)).toEqual([60]);
  });

  it('exclude the days of a failed feed', async () => {
    const [offer] = onSale.slice(2, 3) as [OfferRow];
    for (const daysAgo of [14, 13, 12, 3, 2, 1]) await write([offer], daysAgo);
    expect(await daysOf(offer, 1)).toEqual([14, 13, 12, 3, 2, 1]);
  });

  it('are London’s, also around midnight in summer', async () => {
    const [offer] = onSale.slice(33, 34) as [OfferRow];
    const instants = ['2027-06-01T22:30Z', '2027-06-01T23:30Z', '2027-06-03T22:30Z', '2027-06-04T23:30Z'];
    const sightings = instants.map((instant) => offer.with(OFFER.seenAt, Date.parse(instant) / 60_000));
    for (const row of sightings) await writeRows([row as unknown as OfferRow]);
    const last = sightings.at(-1) as unknown as OfferRow;
    const { daily } = await packageHistoryReader(database, (_, price) => price)(
      last,
      dayNumber('2027-06-05'),
    );
    expect(daily.map(({ day }) => fromDayNumber(day))).toEqual([
      '2027-06-01',
      '2027-06-02',
      '2027-06-03',
      '2027-06-05',
    ]);
  });

  it('begin at the same minute in SQL as elsewhere, whenever the clocks change', async () => {
    const aroundChanges = Array.from({ length: 70 }, (_, nth) => [2, 9].map((month) => [2027 + nth, month]));
    const nights = aroundChanges
      .flat()
      .flatMap(([year = 0, month = 0]) =>
        Array.from({ length: 8 }, (_, nth) => Date.UTC(year, month, 24 + nth, 23) / 60_000),
      );
    const minutes = nights.flatMap((night) => [night - 1, night, night + 59, night + 60]);
    const days = database.prepare(
      `with sample (minute) as (values ${minutes.map((minute) => `(${minute})`).join(', ')})
      select minute, ${londonDaySql('minute')} from sample order by minute`,
    );
    expect(await days.rows()).toEqual(minutes.map((minute) => [minute, londonDay(minute)]));
  });

  it('exclude the days on which a package was sold out', async () => {
    const [offer] = onSale.slice(3, 4) as [OfferRow];
    for (const daysAgo of [14, 13, 12]) await write([offer], daysAgo);
    await database.write('records', async (tx) =>
      (await offerTable(tx, { runs: PRICE_RUNS })).remove([offer.slice(0, 11) as unknown as OfferKey]),
    );
    for (const daysAgo of [2, 1]) await write([offer], daysAgo);
    expect(await daysOf(offer, 1)).toEqual([14, 13, 12, 2, 1]);
  });

  it('include those of the prices before and after a change', async () => {
    const [offer] = onSale.slice(30, 31) as [OfferRow];
    const priced = (price: number) => offer.with(OFFER.price, price) as unknown as OfferRow;
    for (const daysAgo of [20, 19, 18]) await write([priced(50_000)], daysAgo);
    for (const daysAgo of [9, 8, 7]) await write([priced(60_000)], daysAgo);
    for (const daysAgo of [6, 5]) await write([priced(50_000)], daysAgo);
    expect(await pricesOf(priced(50_000), 5)).toEqual([
      [20, 50_000],
      [19, 50_000],
      [18, 50_000],
      [9, 60_000],
      [8, 60_000],
      [7, 60_000],
      [6, 50_000],
      [5, 50_000],
    ]);
  });

  it('have one price at each time after an older feed was restored', async () => {
    const [offer] = onSale.slice(34, 35) as [OfferRow];
    const priced = (price: number) => offer.with(OFFER.price, price) as unknown as OfferRow;
    const feeds = [
      [9, 50_000],
      [8, 50_000],
      [7, 60_000],
      [6, 70_000],
      // Two rollbacks.
      [7, 60_000],
      [8, 50_000],
      [5, 50_000],
      [4, 50_000],
      [4, 55_000],
    ] as const;
    for (const [daysAgo, price] of feeds) await write([priced(price)], daysAgo);
    const runs = database.prepare(`select seen_at, last_seen_at, price from price_observation
      where ${IS_IN_HISTORY} union all select price_since, seen_at, price from offer where ${IS_OFFER} order by 1, 2`);
    const at = (daysAgo: number) => MINUTE - daysAgo * 1440;
    expect(await runs.rows(...historyKeyOf(offer), ...keyOf(offer))).toEqual([
      [at(9), at(8), 50_000],
      [at(7), at(7), 60_000],
      [at(6), at(6), 70_000],
      [at(5), at(4), 50_000],
      [at(4), at(4), 55_000],
    ]);
  });

  it('are the same for a history that an earlier version began', async () => {
    const [offer] = onSale.slice(31, 32) as [OfferRow];
    const priced = (price: number) => offer.with(OFFER.price, price) as unknown as OfferRow;
    const observe = database.prepare(
      `insert into price_observation (${HISTORY_KEY_COLUMNS.join(', ')}, seen_at, price, after_gap)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    const observed = [
      [20, 50_000, 1],
      [18, 50_000, 0],
      [9, 50_000, 1],
    ] as const;
    for (const [daysAgo, price, isAfterGap] of observed) {
      await observe.run(...historyKeyOf(offer), MINUTE - daysAgo * 1440, price, isAfterGap);
    }
    await write([priced(50_000)], 8);
    await database.prepare(`update offer set price_since = 0 where ${IS_OFFER}`).run(...keyOf(offer));
    expect((await pricesOf(priced(50_000), 8)).map(([day]) => day)).toEqual([20, 19, 18, 9, 8]);
    for (const daysAgo of [5, 4]) await write([priced(50_000)], daysAgo);
    expect((await pricesOf(priced(50_000), 4)).map(([day]) => day)).toEqual([20, 19, 18, 9, 8, 5, 4]);
    for (const daysAgo of [3, 2]) await write([priced(40_000)], daysAgo);
    expect((await pricesOf(priced(40_000), 2)).map(([day]) => day)).toEqual([20, 19, 18, 9, 8, 5, 4, 3, 2]);
  });

  it('stay in the history if the package departs or its provider is removed', async () => {
    const [offer] = onSale.slice(32, 33) as [OfferRow];
    for (const daysAgo of [4, 3]) await write([offer], daysAgo);
    const kept = (session: SqlSession) =>
      session
        .prepare(
          `select seen_at, last_seen_at, price from price_observation
          where ${IS_IN_HISTORY}`,
        )
        .rows(...historyKeyOf(offer));
    expect(await kept(database)).toEqual([]);
    const run = [MINUTE - 4 * 1440, MINUTE - 3 * 1440, offer[OFFER.price]];
    await rolledBack(async (tx) => {
      await removeOffersBefore(tx, offer[OFFER.departureDay] + 1, PRICE_RUNS);
      expect(await kept(tx)).toEqual([run]);
    });
    await rolledBack(async (tx) => {
      await removeOffersOf(tx, offer[OFFER.provider], PRICE_RUNS);
      expect(await kept(tx)).toEqual([run]);
    });
  });

  it('decide whether there is a verdict', async () => {
    const [offer] = onSale.slice(4, 5) as [OfferRow];
    const others = onSale.slice(5);
    const analyse = async () => {
      const key = itemKeyOf(codes(offer));
      const context = { database, catalogue, neighbours: everywhere, staleAfterDays: 3 };
      return (await analysePrices(context, [key], NOW)).analyses[0];
    };
    await write([offer], 60);
    expect(await analyse()).toMatchObject({
      abstention: 'STALE',
      sentence: expect.stringContaining('60 days ago'),
    });
    await write([offer], 2);
    expect(await analyse()).toMatchObject({ abstention: 'FEW_PRICES' });
    for (const daysAgo of [12, 11, 10, 9, 8, 7, 6]) await write(others, daysAgo);
    for (let daysAgo = 1; daysAgo >= 0; daysAgo -= 1) await write([offer], daysAgo);
    // Simulates a feed that had the package on each of these days.
    await database
      .prepare('update offer set price_since = ? where price_since = ?')
      .run(MINUTE - 60 * 1440, MINUTE - 2 * 1440);
    expect(await analyse()).toMatchObject({ level: 'TYPICAL', evidence: { similar: null } });
    await write(others, 1);
    expect(await analyse()).toMatchObject({ evidence: { own: { prices: 61 }, similar: expect.anything() } });
  });
});

function seen(offer: OfferRow, daysAgo: number): OfferRow {
  return offer.with(OFFER.seenAt, MINUTE - daysAgo * 1440) as unknown as OfferRow;
}

function keyOf(offer: OfferRow): OfferKey {
  return offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey;
}
