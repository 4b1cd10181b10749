import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Party } from '../../domain/party.ts';
import { inventoryWriter } from '../../server/ingest/inventory-writer.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { readPartiesOnSale } from '../../server/package-search/store/parties-on-sale.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { RowReader, SqlDatabase } from '../../server/storage/sql-database.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { FIRST_DAY, NOW, REFERENCE, smallOffers } from '../fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../fixtures/test-stores.ts';

/** The number of parties from earlier feeds that have no packages on sale. */
const GONE = 2_000;

const MS_A_DAY = 86_400_000;
const MINUTES_A_DAY = 1_440;

/** None of these parties is in the small inventory. */
const gone = Array.from({ length: GONE }, (_, nth) => ({
  id: 100 + nth,
  adults: 20 - Math.floor(nth / 400),
  children: Math.floor(nth / 20) % 20,
  infants: nth % 20,
}));

const [COUPLE, FAMILY, SINGLE] = REFERENCE.parties.map(({ id: _id, ...party }) => party) as [
  Party,
  Party,
  Party,
];

describe.each(ALL_STORE_KINDS)('The parties on sale, among thousands in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  let writer: Awaited<ReturnType<typeof inventoryWriter>>;
  let asked: string[];
  beforeEach(async () => {
    store = await makeStore(kind);
    database = await openDatabase(store.address);
    writer = inventoryWriter(database);
    await writer.replaceReference({ ...REFERENCE, parties: [...REFERENCE.parties, ...gone] });
    asked = [];
  });
  afterEach(async () => {
    await writer.close();
    await store.remove();
  });

  const reader: RowReader = {
    rows: async (sql, values) => {
      asked.push(sql);
      return database.prepare(sql).rows(...values);
    },
    anyOf: (expression) => database.anyOf(expression),
    anyOfRows: () => 'false',
  };

  const [anOffer] = smallOffers();
  function offer(party: number, day: number, nights: number, expiresAt = day * MINUTES_A_DAY): OfferRow {
    if (anOffer === undefined) throw new Error('The inventory is empty');
    return anOffer
      .with(OFFER.party, party)
      .with(OFFER.departureDay, day)
      .with(OFFER.nights, nights)
      .with(OFFER.expiresAt, expiresAt) as unknown as OfferRow;
  }
  const midnightBefore = (day: number) => Date.parse('2027-05-01') - 3_600_000 + (day - FIRST_DAY) * MS_A_DAY;

  it('are those with packages; the others cost no query of offers', async () => {
    await writer.writeOffers(smallOffers());
    expect(await readPartiesOnSale(reader, NOW)).toEqual([COUPLE, FAMILY]);
    // Both parties have a package on sale in their first month with prices.
    expect(asked.filter((sql) => sql.includes('from offer'))).toHaveLength(2);
    expect(asked.length).toBeLessThanOrEqual(1 + GONE + 10);
  });

  it('include a party whose first stays and months are sold out', async () => {
    const expired = Math.floor(NOW / 60_000);
    await writer.writeOffers([
      offer(1, FIRST_DAY, 4, expired),
      offer(1, FIRST_DAY + 40, 4, expired),
      offer(1, FIRST_DAY, 7, expired),
      offer(1, FIRST_DAY + 80, 7),
      offer(2, FIRST_DAY, 4, expired),
      offer(2, FIRST_DAY + 40, 7, expired),
      offer(3, FIRST_DAY + 400, 14),
    ]);
    expect(await readPartiesOnSale(reader, NOW)).toEqual([SINGLE, COUPLE]);
  });

  it('exclude a party from midnight in London before its last departure', async () => {
    const lastOfMonth = FIRST_DAY + 30;
    await writer.writeOffers([offer(1, lastOfMonth, 7), offer(2, lastOfMonth + 1, 7)]);
    const midnight = midnightBefore(lastOfMonth);
    expect(await readPartiesOnSale(reader, midnight - 1)).toEqual([COUPLE, FAMILY]);
    expect(await readPartiesOnSale(reader, midnight)).toEqual([FAMILY]);
    expect(await readPartiesOnSale(reader, midnight + MS_A_DAY)).toEqual([]);
  });
});
