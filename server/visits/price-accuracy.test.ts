import fc from 'fast-check';
import { expect, it } from 'vitest';
import { median } from '../../domain/median.ts';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import { settleVisits } from '../ingest/settle-visits.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { openDatabase } from '../storage/open/database.ts';
import { priceAccuracy } from './price-accuracy.ts';
import type { SiteVisit } from './record-visits.ts';
import { visitWriter } from './visit-table.ts';

const MINUTE = Math.floor(NOW / 60_000);
const catalogue = wholeCatalogue(REFERENCE);
const codes = offerCodes(catalogue);

it.each(STORE_KINDS)(
  "compares the prices on cards with the feed's next import, in the %s store",
  async (kind) => {
    const store = await makeStore(kind);
    const writer = await openInventoryWriter(store.address);
    await writer.replaceReference(REFERENCE);
    const offers = smallOffers();
    await writer.writeOffers(offers);
    const database = await openDatabase(store.address);
    const visit = async (one: SiteVisit) => (await visitWriter(database)([one]))[0];

    const ofSun = offers.filter((offer) => offer[OFFER.provider] === 1 && isOnSale(offer)).slice(0, 4);
    const [same, dearer, later, after] = ofSun;
    if (!same || !dearer || !later || !after) throw new Error('there are offers');
    const importOf = async (changed: OfferRow[], minutes: number) => {
      await writer.writeOffers(changed);
      const imported = { provider: 1, importedAt: MINUTE + minutes, firstDay: 0 };
      await database.write('offers of SUN', (tx) => settleVisits(tx, imported));
    };
    for (const offer of [same, dearer, later]) expect(await visit(visitOf(offer))).toBe('recorded');
    expect(await visit({ ...visitOf(same), itemKey: 'no:such:key' })).toBe('unknown package');
    expect(await visit({ ...visitOf(same), price: 1, isShown: false })).toBe('price not shown');

    await importOf([told(dearer, 1.2, 60), told(later, 1.2, 60)], 60);
    // Only the first import after the click counts, and no import after the last click is known.
    await importOf([told(later, 1, 120)], 120);
    expect(await visit({ ...visitOf(after), visitedAt: MINUTE + 121 })).toBe('recorded');
    const [accuracy, ...others] = await priceAccuracy(database, catalogue);
    expect(others).toEqual([]);
    const counts = { provider: 'SUN', visits: 4, same: 1, up: 2, down: 0, medianDown: null, soldOut: 0 };
    expect(accuracy).toMatchObject({ ...counts, unknown: 1 });
    expect(accuracy?.medianUp).toBeCloseTo(20, 1);

    await database.close();
    await writer.close();
    await store.remove();
  },
);

it.each(STORE_KINDS)("counts the feeds' outcomes for any number of clicks, in the %s store", async (kind) => {
  const store = await makeStore(kind);
  const database = await openDatabase(store.address);
  const price = fc.integer({ min: 1_000, max: 500_000 });
  const factor = fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 2, noNaN: true }));
  const next = fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: factor });
  const clicks = fc.array(fc.record({ provider: fc.constantFrom(1, 2), price, next }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(clicks, async (all) => {
      await database.exec('delete from site_visit');
      const rows = all.map(({ provider, price, next }) => {
        const answer = next === null ? null : Math.round(price * next);
        return [provider, 'any', price, MINUTE, MINUTE + 1, answer];
      });
      const columns = ['provider', 'item_key', 'price', 'visited_at', 'settled_at', 'next_price'];
      await database.addRows('site_visit', columns, rows);
      const found = await priceAccuracy(database, catalogue);
      expect(found.map(({ visits }) => visits).reduce((sum, one) => sum + one, 0)).toBe(all.length);
      for (const accuracy of found) {
        const ofProvider = rows.filter(
          ([provider]) => catalogue.providers.get(Number(provider))?.code === accuracy.provider,
        );
        const percents = ofProvider.flatMap(([, , shown, , , answer]) =>
          answer === null ? [] : [((Number(answer) - Number(shown)) / Number(shown)) * 100],
        );
        const up = percents.filter((percent) => percent > 0);
        const down = percents.filter((percent) => percent < 0).map((percent) => -percent);
        expect(accuracy).toMatchObject({
          visits: ofProvider.length,
          same: percents.length - up.length - down.length,
          up: up.length,
          down: down.length,
          soldOut: ofProvider.length - percents.length,
          unknown: 0,
        });
        expectNear(accuracy.medianUp, median(up));
        expectNear(accuracy.medianDown, median(down));
      }
    }),
    { numRuns: 30 },
  );
  await database.close();
  await store.remove();
});

function expectNear(found: number | null, exact: number | null): void {
  if (exact === null || found === null) expect(found).toBe(exact);
  else expect(Math.abs(found - exact)).toBeLessThan(0.051);
}

const isOnSale = (offer: OfferRow) => offer[OFFER.expiresAt] > MINUTE;

function visitOf(offer: OfferRow): SiteVisit {
  const price = offer[OFFER.price];
  return { itemKey: itemKeyOf(codes(offer)), price, visitedAt: MINUTE, isShown: true, client: 1 };
}

function told(offer: OfferRow, factor: number, later: number): OfferRow {
  return offer
    .with(OFFER.price, Math.round(offer[OFFER.price] * factor))
    .with(OFFER.seenAt, MINUTE + later) as unknown as OfferRow;
}

it('reports a full disk as an unavailable store, and records visits again once there is space', async () => {
  const store = await makeStore('embedded');
  const writer = await openInventoryWriter(store.address);
  await writer.replaceReference(REFERENCE);
  const offers = smallOffers();
  await writer.writeOffers(offers);
  await writer.close();
  const database = await openDatabase(store.address);
  const offer = offers.find(isOnSale);
  const itemKey = offer === undefined ? '' : itemKeyOf(codes(offer));
  const price = offer?.[OFFER.price] ?? 0;
  const shown = { itemKey, price, visitedAt: MINUTE, isShown: true, client: 1 };
  const visit = visitWriter(database);
  const pages = Number((await database.prepare('pragma page_count').get())?.page_count);
  await database.exec(`pragma max_page_count = ${pages}`);
  const many = async () => {
    for (let nth = 0; nth < 500; nth += 1) await visit([shown]);
  };
  await expect(many).rejects.toThrow(StoreUnavailable);
  await database.exec('pragma max_page_count = 1000000');
  expect(await visit([shown])).toEqual(['recorded']);
  await database.close();
  await store.remove();
});
