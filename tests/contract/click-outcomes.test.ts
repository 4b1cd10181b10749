import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itemKeyOf } from '../../server/inventory/item-key.ts';
import { offerCodes } from '../../server/inventory/offer-codes.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { storedCatalogue } from '../../server/inventory/tables/stored-catalogue.ts';
import { priceAccuracy } from '../../server/visits/price-accuracy.ts';
import { visitWriter } from '../../server/visits/visit-table.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const HOUR = 3_600_000;

describe.each(STORE_KINDS)('The price accuracy of clicks, in the %s store', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind);
  });
  afterEach(() => site.close());

  /** Imports hotels at these prices and this hour. A hotel whose price is null is not in the feed. */
  async function feed(hour: number, prices: Record<string, number | null>) {
    site.setNow(FEED_NOW + hour * HOUR);
    const items = Object.entries(prices).flatMap(([code, price]) =>
      price === null ? [] : [feedItem({ HotelIdentifierCode: code, HotelName: code, TotalPrice: price })],
    );
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW', '--accept'], ndjson(items));
    expect(exit, out).toBe(0);
  }

  /** Clicks every package at its current price. */
  async function clickAll(hour: number) {
    const visit = visitWriter(site.database());
    const catalogue = await storedCatalogue()(site.database());
    await catalogue.load(await site.offers());
    const codes = offerCodes(catalogue);
    const visitedAt = Math.floor((FEED_NOW + hour * HOUR) / 60_000);
    const visits = (await site.offers()).map((offer) => ({
      itemKey: itemKeyOf(codes(offer)),
      price: offer[OFFER.price],
      visitedAt,
      isShown: true,
      client: 1,
    }));
    expect(new Set(await visit(visits))).toEqual(new Set(['recorded']));
  }

  const accuracy = async () =>
    (await priceAccuracy(site.database(), await storedCatalogue()(site.database())))[0];

  it('counts same, higher and lower prices, sold-out packages, and clicks without a later feed', async () => {
    const first = { SAME: 800, UP: 800, DOWN: 800, GONE: 800, OTHER: 500 };
    await feed(0, first);
    await clickAll(1);
    expect(await accuracy()).toMatchObject({ visits: 5, unknown: 5, same: 0, soldOut: 0 });
    await feed(2, { ...first, UP: 880, DOWN: 760, GONE: null });
    await clickAll(3);
    expect(await accuracy()).toMatchObject({ visits: 9, same: 2, up: 1, down: 1, soldOut: 1, unknown: 4 });
    expect((await accuracy())?.medianUp).toBeCloseTo(10);
    expect((await accuracy())?.medianDown).toBeCloseTo(5);
  });

  it('counts an unchanged price, even if the feed changes nothing', async () => {
    await feed(0, { A: 800, B: 700 });
    await clickAll(1);
    await feed(2, { A: 800, B: 700 });
    expect(await accuracy()).toMatchObject({ visits: 2, same: 2, unknown: 0 });
    // Only the first feed after a click counts.
    await feed(3, { A: 960, B: null });
    expect(await accuracy()).toMatchObject({ same: 2, up: 0, soldOut: 0 });
  });

  it('ignores trial imports and the feeds of other providers', async () => {
    await feed(0, { A: 800 });
    await clickAll(1);
    site.setNow(FEED_NOW + 2 * HOUR);
    const trial = ['check', '-', '--provider', 'SUNW'];
    await site.run(trial, ndjson([feedItem({ HotelIdentifierCode: 'A', HotelName: 'A', TotalPrice: 900 })]));
    const other = feedItem({ Brand: 'MADE', DeeplinkUrl: 'https://www.made.example/h/1' });
    const { exit, out } = await site.run(['import', '-', '--provider', 'MADE'], ndjson([other]));
    expect(exit, out).toBe(0);
    expect(await accuracy()).toMatchObject({ visits: 1, unknown: 1 });
  });
});
