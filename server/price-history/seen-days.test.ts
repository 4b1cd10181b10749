import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_STORE_KINDS } from '../../tests/fixtures/shared-store-kinds.ts';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { inventoryWriter } from '../ingest/inventory-writer.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER, type OfferKey } from '../inventory/offer-columns.ts';
import { offerTable } from '../inventory/tables/open-offer-table.ts';
import { removeOffersBefore, removeOffersOf } from '../inventory/tables/remove-offers.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
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
  let table: ReturnType<typeof offerTable>;

  beforeAll(async () => {
    store = await makeStore(kind);
    const writer = inventoryWriter(openDatabase(store.address));
    await writer.replaceReference(REFERENCE);
    await writer.close();
    database = openDatabase(store.address);
    table = offerTable(database, { runs: PRICE_RUNS });
  });

  afterAll(async () => {
    database.close();
    await store.remove();
  });

  const write = (some: readonly OfferRow[], daysAgo: number) =>
    inTransaction(database, () => table.write(some.map((offer) => seen(offer, daysAgo))));

  const pricesOf = (offer: OfferRow, daysAgo: number) =>
    packageHistoryReader(database, (_, price) => price)(seen(offer, daysAgo), TODAY).daily.map(
      ({ day, price }) => [TODAY - day, price],
    );

  const rolledBack = (work: () => void) => {
    database.begin();
    try {
      work();
    } finally {
      database.rollback();
    }
  };

  const daysOf = (offer: OfferRow, daysAgo: number) =>
    packageHistoryReader(database, (_, price) => price)(seen(offer, daysAgo), TODAY).daily.map(
      ({ day }) => TODAY - day,
    );

  it('include each day of an uninterrupted feed', () => {
    const [offer] = onSale.slice(0, 1) as [OfferRow];
    for (const daysAgo of [6, 5, 4, 3, 2, 1]) write([offer], daysAgo);
    expect(daysOf(offer, 1)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('are one day for a package that was seen once', () => {
    const [offer] = onSale.slice(1, 2) as [OfferRow];
    write([offer], 60);
    expect(daysOf(offer, 60)).toEqual([60]);
  });

  it('exclude the days of a failed feed', () => {
    const [offer] = onSale.slice(2, 3) as [OfferRow];
    for (const daysAgo of [14, 13, 12, 3, 2, 1]) write([offer], daysAgo);
    expect(daysOf(offer, 1)).toEqual([14, 13, 12, 3, 2, 1]);
  });

  it('exclude the days on which a package was sold out', () => {
    const [offer] = onSale.slice(3, 4) as [OfferRow];
    for (const daysAgo of [14, 13, 12]) write([offer], daysAgo);
    inTransaction(database, () => table.remove([offer.slice(0, 11) as unknown as OfferKey]));
    for (const daysAgo of [2, 1]) write([offer], daysAgo);
    expect(daysOf(offer, 1)).toEqual([14, 13, 12, 2, 1]);
  });

  it('include those of the prices before and after a change', () => {
    const [offer] = onSale.slice(30, 31) as [OfferRow];
    const priced = (price: number) => offer.with(OFFER.price, price) as unknown as OfferRow;
    for (const daysAgo of [20, 19, 18]) write([priced(50_000)], daysAgo);
    for (const daysAgo of [9, 8, 7]) write([priced(60_000)], daysAgo);
    for (const daysAgo of [6, 5]) write([priced(50_000)], daysAgo);
    expect(pricesOf(priced(50_000), 5)).toEqual([
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

  it('are the same for a history that an earlier version began', () => {
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
      observe.run(...historyKeyOf(offer), MINUTE - daysAgo * 1440, price, isAfterGap);
    }
    write([priced(50_000)], 8);
    database.prepare(`update offer set price_since = 0 where ${IS_OFFER}`).run(...keyOf(offer));
    expect(pricesOf(priced(50_000), 8).map(([day]) => day)).toEqual([20, 19, 18, 9, 8]);
    for (const daysAgo of [5, 4]) write([priced(50_000)], daysAgo);
    expect(pricesOf(priced(50_000), 4).map(([day]) => day)).toEqual([20, 19, 18, 9, 8, 5, 4]);
    for (const daysAgo of [3, 2]) write([priced(40_000)], daysAgo);
    expect(pricesOf(priced(40_000), 2).map(([day]) => day)).toEqual([20, 19, 18, 9, 8, 5, 4, 3, 2]);
  });

  it('stay in the history if the package departs or its provider is removed', () => {
    const [offer] = onSale.slice(32, 33) as [OfferRow];
    for (const daysAgo of [4, 3]) write([offer], daysAgo);
    const kept = () =>
      database
        .prepare(
          `select seen_at, last_seen_at, price from price_observation
          where ${IS_IN_HISTORY}`,
        )
        .rows(...historyKeyOf(offer));
    expect(kept()).toEqual([]);
    const run = [MINUTE - 4 * 1440, MINUTE - 3 * 1440, offer[OFFER.price]];
    rolledBack(() => {
      removeOffersBefore(database, offer[OFFER.departureDay] + 1, PRICE_RUNS);
      expect(kept()).toEqual([run]);
    });
    rolledBack(() => {
      removeOffersOf(database, offer[OFFER.provider], PRICE_RUNS);
      expect(kept()).toEqual([run]);
    });
  });

  it('decide whether there is a verdict', () => {
    const [offer] = onSale.slice(4, 5) as [OfferRow];
    const others = onSale.slice(5);
    const analyse = () => {
      const key = itemKeyOf(codes(offer));
      const { analyses } = analysePrices(database, catalogue, everywhere, 3, [key], NOW);
      const [found] = analyses;
      return found?.verdict;
    };
    write([offer], 60);
    expect(analyse()).toMatchObject({ reason: { kind: 'stale', daysSinceSeen: 60 } });
    write([offer], 2);
    expect(analyse()).toMatchObject({ reason: { kind: 'few-own-prices', prices: 2 } });
    for (const daysAgo of [12, 11, 10, 9, 8, 7, 6]) write(others, daysAgo);
    for (let daysAgo = 1; daysAgo >= 0; daysAgo -= 1) write([offer], daysAgo);
    // Simulates a feed that had the package on each of these days.
    database
      .prepare('update offer set price_since = ? where price_since = ?')
      .run(MINUTE - 60 * 1440, MINUTE - 2 * 1440);
    expect(analyse()).toMatchObject({ reason: { kind: 'few-comparable-prices', prices: 0 } });
    write(others, 1);
    expect(analyse()).toMatchObject({ kind: 'verdict', own: { prices: 61 } });
  });
});

function seen(offer: OfferRow, daysAgo: number): OfferRow {
  return offer.with(OFFER.seenAt, MINUTE - daysAgo * 1440) as unknown as OfferRow;
}

function keyOf(offer: OfferRow): OfferKey {
  return offer.slice(0, KEY_COLUMNS.length) as unknown as OfferKey;
}
