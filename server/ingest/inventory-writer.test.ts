import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../tests/fixtures/test-stores.ts';
import type { InventoryWriter, OfferRow } from '../inventory/inventory.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import type { PriceChange } from '../inventory/price-changes.ts';
import { openDatabase } from '../storage/open/database.ts';
import { inventoryWriter } from './inventory-writer.ts';

const OFFERS = smallOffers().slice(0, 120);

describe.each(STORE_KINDS)('in the %s store', (kind) => {
  let store: TestStore;
  let told: PriceChange[][];
  let refuses: boolean;
  let writer: InventoryWriter;

  beforeEach(async () => {
    store = await makeStore(kind);
    told = [];
    refuses = false;
    writer = inventoryWriter(openDatabase(store.address), {
      listeners: [
        (changes) => {
          if (refuses) throw new Error('not this time');
          told.push([...changes]);
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

  it('tells of no change when offers are new, or seen again as they were', async () => {
    await writer.writeOffers(OFFERS);
    await writer.writeOffers(OFFERS.map((offer) => seen(offer, 0, 24 * 60)));
    expect(told).toEqual([]);
  });

  it('tells of each changed price once, with the offer as it was and as it is', async () => {
    const next = OFFERS.map((offer, index) => seen(offer, index % 3 === 0 ? -1_000 : 0, 30));
    await writer.writeOffers(next);
    const changed = OFFERS.flatMap((offer, index) =>
      index % 3 === 0 ? [{ old: offer, new: next[index] }] : [],
    );
    expect(told).toEqual([changed]);
  });

  it('tells of what else changed only together with the price', async () => {
    await writer.writeOffers(OFFERS.map((offer) => offer.with(OFFER.luggage, 9) as unknown as OfferRow));
    expect(told).toEqual([]);
  });

  it('writes nothing of a batch whose change a listener refuses, and tells of it when it is written again', async () => {
    refuses = true;
    const cheaper = OFFERS.map((offer) => seen(offer, -1_000, 30));
    await expect(writer.writeOffers(cheaper)).rejects.toThrow('not this time');
    refuses = false;
    await writer.writeOffers(cheaper);
    expect(told).toHaveLength(1);
    expect(told[0]).toHaveLength(OFFERS.length);
  });
});

function seen(offer: OfferRow, more: number, later: number): OfferRow {
  return offer
    .with(OFFER.price, offer[OFFER.price] + more)
    .with(OFFER.seenAt, offer[OFFER.seenAt] + later) as unknown as OfferRow;
}
