import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { writeReferenceTables } from '../inventory/tables/reference-tables.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { SiteVisit } from './record-visits.ts';
import { visitWriter } from './visit-table.ts';

const MINUTE = Math.floor(NOW / 60_000);
const codes = offerCodes(wholeCatalogue(REFERENCE));
const [first] = smallOffers();
if (first === undefined) throw new Error('there are offers');
const itemKey = itemKeyOf(codes(first));

describe.each(STORE_KINDS)('Click-throughs in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  beforeEach(async () => {
    store = await makeStore(kind);
    database = openDatabase(store.address);
    writeReferenceTables(database, REFERENCE);
  });
  afterEach(async () => {
    database.close();
    await store.remove();
  });

  const visits = (...prices: number[]) =>
    prices.map((price): SiteVisit => ({ itemKey, price, visitedAt: MINUTE, isShown: true }));
  const prices = () => database.prepare('select price from site_visit order by price').rows().flat();

  it('are written as a whole batch, or not at all', () => {
    const write = visitWriter(database);
    // The last price does not fit the column.
    expect(() => write(visits(100, 200, 300.5))).toThrow(/integer|rejected a statement/i);
    expect(prices()).toEqual([]);
    expect(write(visits(100, 200, 300))).toEqual(['recorded', 'recorded', 'recorded']);
    expect(prices()).toEqual([100, 200, 300]);
  });

  it("are written up to the day's limit, even within one minute", () => {
    const write = visitWriter(database, 5);
    write(visits(1, 2));
    expect(() => write(visits(0.5))).toThrow(/integer|rejected a statement/i);
    expect(write(visits(3, 4))).toEqual(['recorded', 'recorded']);
    expect(write(visits(5, 6, 7))).toEqual(['recorded', 'recorded', 'recorded']);
    expect(prices()).toEqual([1, 2, 3, 4, 5]);
    const ofNextDay = visits(8, 9).map((visit) => ({ ...visit, visitedAt: MINUTE + 1440 }));
    write(ofNextDay);
    expect(prices()).toEqual([1, 2, 3, 4, 5, 8, 9]);
  });
});
