import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REFERENCE, smallOffers } from '../../../tests/fixtures/small-inventory.ts';
import { appliedPlainly, PLAIN_LINES } from '../../../tests/fixtures/staged-lines.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../../tests/fixtures/test-stores.ts';
import { priceChangeQueue } from '../../alerts/matching/price-change-queue.ts';
import { openInventoryWriter } from '../../ingest/open-inventory-writer.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { IS_OFFER, KEY_COLUMNS, OFFER } from '../../inventory/offer-columns.ts';
import { referenceState } from '../../inventory/tables/reference-tables.ts';
import { openDatabase } from '../../storage/open/database.ts';
import { openFeedStore } from './open-feed-store.ts';
import { openStaging, type Staging } from './staging.ts';
import { storeImport } from './store-import.ts';

/** Far shorter than an import's, so that a short wait exceeds it. */
const IDLE_TIMEOUT_MS = 200;

const PROVIDER = 1;

/** More than are staged at a time. */
const OFFERS = 12_000;

describe.each(STORE_KINDS)('A comparison with the %s store', (kind) => {
  let store: TestStore;
  let staging: Staging;
  const offers = manyOffers();
  const comparison = {
    code: 'SUN',
    provider: PROVIDER,
    limits: { percent: 30, quarantine: { day: 0, isRepeated: false, isReleasing: false } },
    part: null,
    checkedAfter: null,
  };

  beforeEach(async () => {
    store = await makeStore(kind);
    const writer = await openInventoryWriter(store.address);
    await writer.replaceReference(REFERENCE);
    await writer.writeOffers(offers);
    await writer.close();
    staging = openStaging(`${store.folder}/staging`);
    for (const [nth, offer] of offers.entries()) staging.add(offer, nth);
  });
  afterEach(async () => {
    staging.close();
    await store.remove();
  });

  it.each([
    ['before its first row, as while it is sorted', 0],
    ['in the middle, as if it were far longer than the store', 11_000],
  ])('survives a feed that stalls %s', async (_when, at) => {
    const { database, writing } = await openFeedStore(store.address, { idleTimeout: IDLE_TIMEOUT_MS });
    const slow: Staging = {
      ...staging,
      *sorted() {
        let nth = 0;
        for (const row of staging.sorted()) {
          if (nth === at) block(5 * IDLE_TIMEOUT_MS);
          nth += 1;
          yield row;
        }
      },
    };
    expect(await writing.compare({ ...comparison, lines: PLAIN_LINES, staging: slow })).toMatchObject({
      packages: OFFERS,
      unchanged: OFFERS,
      removed: 0,
    });
    await writing.close();
    await database.close();
  });

  it('lets the import renew its lease', async () => {
    const { database, writing } = await openFeedStore(store.address, {});
    let renewals = 0;
    const onWalked = () =>
      database.write('records', async () => {
        renewals += 1;
      });
    await writing.compare({ ...comparison, lines: { ...PLAIN_LINES, onWalked }, staging });
    expect(renewals).toBeGreaterThan(1);
    await writing.close();
    await database.close();
  });

  it('keeps a price that is checked before the import writes', async () => {
    const [first, second] = offers;
    if (first === undefined || second === undefined) throw new Error('There are offers');
    const checked = first
      .with(OFFER.price, first[OFFER.price] + 500)
      .with(OFFER.seenAt, first[OFFER.seenAt] + 60) as unknown as OfferRow;
    const price = first[OFFER.price] + 100;
    const database = await openDatabase(store.address);
    const queue = priceChangeQueue(database, Date.now);
    let isChecked = false;
    /** Called before and after the import writes. */
    const settle = async () => {
      if (isChecked) return;
      isChecked = true;
      const writer = await openInventoryWriter(store.address);
      await writer.writeOffers([checked]);
      await writer.close();
    };
    const writing = await storeImport(database, { ...queue, settle });
    const correct = (row: OfferRow) => row.with(OFFER.price, price) as unknown as OfferRow;
    const lines = { ...PLAIN_LINES, correct };
    await writing.apply({
      ...comparison,
      staging,
      difference: await writing.compare({ ...comparison, checkedAfter: 0, lines, staging }),
      ...appliedPlainly(PROVIDER),
      version: await referenceState(database),
      finish: async () => {},
    });
    await writing.close();
    const stored = database.prepare(`select price from offer where ${IS_OFFER}`);
    const priceOf = async (offer: OfferRow) => (await stored.row(...offer.slice(0, KEY_COLUMNS.length)))?.[0];
    expect([await priceOf(first), await priceOf(second)]).toEqual([checked[OFFER.price], price]);
    await database.close();
  });
});

/** Blocks the thread, as sorting a feed does. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function manyOffers(): OfferRow[] {
  const [first] = smallOffers();
  if (first === undefined) throw new Error('The inventory is empty');
  return Array.from({ length: OFFERS }, (_, nth) => {
    const day = first[OFFER.departureDay] + Math.floor(nth / 100);
    return first
      .with(OFFER.departureDay, day)
      .with(OFFER.nights, 1 + (nth % 100))
      .with(OFFER.provider, PROVIDER) as unknown as OfferRow;
  });
}
