import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_STORE_KINDS } from '../../tests/fixtures/shared-store-kinds.ts';
import { REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, type TestStore } from '../../tests/fixtures/test-stores.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { PriceChange } from '../inventory/price-changes.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { openDatabase } from '../storage/open/database.ts';
import { inventoryWriter } from './inventory-writer.ts';

const OFFERS = smallOffers().slice(0, 120);

describe.each(ALL_STORE_KINDS)('Price changes in the %s store', (kind) => {
  let store: TestStore;
  let reported: PriceChange[][];
  let isFailing: boolean;
  let writer: InventoryWriter;

  beforeEach(async () => {
    store = await makeStore(kind);
    reported = [];
    isFailing = false;
    writer = inventoryWriter(await openDatabase(store.address), {
      listeners: [
        {
          async written(_tx, _offers, changes) {
            if (isFailing) throw new Error('not this time');
            if (changes.length > 0) reported.push([...changes]);
          },
        },
      ],
    });
    await writer.replaceReference(REFERENCE);
    await writer.writeOffers(OFFERS);
  });

  afterEach(async () => {
    await writer.close();
    await store.remove();
  });

  it('are not reported for new or unchanged offers', async () => {
    await writer.writeOffers(OFFERS);
    await writer.writeOffers(OFFERS.map((offer) => seen(offer, 0, 24 * 60)));
    expect(reported).toEqual([]);
  });

  it('are reported once, with the old and the new offer', async () => {
    const next = OFFERS.map((offer, index) => seen(offer, index % 3 === 0 ? -1_000 : 0, 30));
    await writer.writeOffers(next);
    const changed = OFFERS.flatMap((offer, index) =>
      index % 3 === 0 ? [{ old: offer, new: next[index] }] : [],
    );
    expect(reported).toEqual([changed]);
  });

  it('are not reported if anything but the price has changed', async () => {
    await writer.writeOffers(OFFERS.map((offer) => offer.with(OFFER.luggage, 9) as unknown as OfferRow));
    expect(reported).toEqual([]);
  });

  it('are rolled back with their batch if a listener throws, and reported when it is written again', async () => {
    isFailing = true;
    const cheaper = OFFERS.map((offer) => seen(offer, -1_000, 30));
    await expect(writer.writeOffers(cheaper)).rejects.toThrow('not this time');
    isFailing = false;
    await writer.writeOffers(cheaper);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toHaveLength(OFFERS.length);
  });
});

function seen(offer: OfferRow, more: number, later: number): OfferRow {
  return offer
    .with(OFFER.price, offer[OFFER.price] + more)
    .with(OFFER.seenAt, offer[OFFER.seenAt] + later) as unknown as OfferRow;
}
