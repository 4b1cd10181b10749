import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import type { SiteVisit } from './record-visits.ts';
import { visitWriter } from './visit-table.ts';

const MINUTE = Math.floor(NOW / 60_000);
const codes = offerCodes(wholeCatalogue(REFERENCE));
const first = smallOffers().find((offer) => offer[OFFER.expiresAt] > MINUTE + 1440);
if (first === undefined) throw new Error('there are offers');
const itemKey = itemKeyOf(codes(first));
const price = first[OFFER.price];

describe.each(STORE_KINDS)('Click-throughs in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  beforeEach(async () => {
    store = await makeStore(kind);
    const writer = await openInventoryWriter(store.address);
    await writer.replaceReference(REFERENCE);
    await writer.writeOffers(smallOffers());
    await writer.close();
    database = await openDatabase(store.address);
  });
  afterEach(async () => {
    await database.close();
    await store.remove();
  });

  const visits = (...clients: number[]) =>
    clients.map((client): SiteVisit => ({ itemKey, price, visitedAt: MINUTE, isShown: true, client }));
  const clients = async () =>
    (await database.prepare('select client from site_visit order by client').rows()).flat();

  it('are written as a whole batch, or not at all', async () => {
    const write = visitWriter(database);
    // The last client does not fit the column.
    await expect(() => write(visits(1, 2, 3.5))).rejects.toThrow(/integer|rejected a statement/i);
    expect(await clients()).toEqual([]);
    expect(await write(visits(1, 2, 3))).toEqual(['recorded', 'recorded', 'recorded']);
    expect(await clients()).toEqual([1, 2, 3]);
  });

  it("are written up to the day's limit, even within one minute", async () => {
    const write = visitWriter(database, 5);
    await write(visits(1, 2));
    await expect(() => write(visits(0.5))).rejects.toThrow(/integer|rejected a statement/i);
    expect(await write(visits(3, 4))).toEqual(['recorded', 'recorded']);
    expect(await write(visits(5, 6, 7))).toEqual(['recorded', 'over limit', 'over limit']);
    expect(await clients()).toEqual([1, 2, 3, 4, 5]);
    const ofNextDay = visits(8, 9).map((visit) => ({ ...visit, visitedAt: MINUTE + 1440 }));
    await write(ofNextDay);
    expect(await clients()).toEqual([1, 2, 3, 4, 5, 8, 9]);
  });

  it('count only at the price that is on sale at their minute', async () => {
    const write = visitWriter(database);
    const [visit] = visits(1);
    if (visit === undefined) throw new Error('there is a visit');
    const expiresAt = first[OFFER.expiresAt];
    const ignored = [
      { ...visit, price: price - 100 },
      { ...visit, price: price - 100, checked: price },
      { ...visit, visitedAt: expiresAt },
    ];
    expect(await write(ignored)).toEqual(['recorded', 'recorded', 'recorded']);
    expect(await clients()).toEqual([]);
    await write([{ ...visit, visitedAt: expiresAt - 1, checked: price }]);
    expect(await clients()).toEqual([1]);
  });
});
