import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_STORE_KINDS } from '../../tests/fixtures/shared-store-kinds.ts';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { inventoryWriter } from '../ingest/inventory-writer.ts';
import { wholeCatalogue } from '../inventory/catalogue.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER, type OfferKey } from '../inventory/offer-columns.ts';
import { offerTable } from '../inventory/tables/open-offer-table.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { analysePrices } from './analyse-prices.ts';
import { packageHistoryReader } from './package-history.ts';
import { SIGHTINGS } from './price-observer.ts';

const MINUTE = Math.floor(NOW / 60_000);
const TODAY = Math.floor(MINUTE / 1440);
const catalogue = wholeCatalogue(REFERENCE);
const codes = offerCodes(catalogue);
const onSale = smallOffers().filter((offer) => offer[OFFER.expiresAt] > MINUTE);
const everywhere = () => new Set(['LGW', 'STN', 'MAN']);

describe.each(ALL_STORE_KINDS)('the days on which a price was seen, in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  let table: ReturnType<typeof offerTable>;

  beforeAll(async () => {
    store = await makeStore(kind);
    const writer = inventoryWriter(openDatabase(store.address));
    await writer.replaceReference(REFERENCE);
    await writer.close();
    database = openDatabase(store.address);
    table = offerTable(database, { sightings: SIGHTINGS });
  });

  afterAll(async () => {
    database.close();
    await store.remove();
  });

  const write = (some: readonly OfferRow[], daysAgo: number) =>
    inTransaction(database, () => table.write(some.map((offer) => seen(offer, daysAgo))));

  const daysOf = (offer: OfferRow, daysAgo: number) =>
    packageHistoryReader(database)(seen(offer, daysAgo), TODAY).daily.map(({ day }) => TODAY - day);

  it('are each day of an unbroken feed', () => {
    const [offer] = onSale.slice(0, 1) as [OfferRow];
    for (const daysAgo of [6, 5, 4, 3, 2, 1]) write([offer], daysAgo);
    expect(daysOf(offer, 1)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('are one for a package that was seen once', () => {
    const [offer] = onSale.slice(1, 2) as [OfferRow];
    write([offer], 60);
    expect(daysOf(offer, 60)).toEqual([60]);
  });

  it('leave out the days of a failed feed', () => {
    const [offer] = onSale.slice(2, 3) as [OfferRow];
    for (const daysAgo of [14, 13, 12, 3, 2, 1]) write([offer], daysAgo);
    expect(daysOf(offer, 1)).toEqual([14, 13, 12, 3, 2, 1]);
  });

  it('leave out the days on which a package was sold out', () => {
    const [offer] = onSale.slice(3, 4) as [OfferRow];
    for (const daysAgo of [14, 13, 12]) write([offer], daysAgo);
    inTransaction(database, () => table.remove([offer.slice(0, 11) as unknown as OfferKey]));
    for (const daysAgo of [2, 1]) write([offer], daysAgo);
    expect(daysOf(offer, 1)).toEqual([14, 13, 12, 2, 1]);
  });

  it('decide whether there is a verdict', () => {
    const [offer] = onSale.slice(4, 5) as [OfferRow];
    const others = onSale.slice(5);
    const analyse = () => {
      const key = itemKeyOf(codes(offer));
      const [found] = analysePrices(database, catalogue, everywhere, { staleAfterDays: 3 }, [key], NOW);
      return found?.verdict;
    };
    write([offer], 60);
    expect(analyse()).toMatchObject({ reason: { kind: 'stale', daysSinceSeen: 60 } });
    write([offer], 2);
    expect(analyse()).toMatchObject({ reason: { kind: 'few-own-prices', prices: 2 } });
    for (const daysAgo of [12, 11, 10, 9, 8, 7, 6]) write(others, daysAgo);
    for (let daysAgo = 1; daysAgo >= 0; daysAgo -= 1) write([offer], daysAgo);
    database.prepare('update price_observation set after_gap = 0 where seen_at = ?').run(MINUTE - 2 * 1440);
    expect(analyse()).toMatchObject({ reason: { kind: 'few-comparable-prices', prices: 0 } });
    write(others, 1);
    expect(analyse()).toMatchObject({ kind: 'verdict', own: { prices: 61 } });
  });
});

function seen(offer: OfferRow, daysAgo: number): OfferRow {
  return offer.with(OFFER.seenAt, MINUTE - daysAgo * 1440) as unknown as OfferRow;
}
