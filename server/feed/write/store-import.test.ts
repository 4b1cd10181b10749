import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { REFERENCE, smallOffers } from '../../../tests/fixtures/small-inventory.ts';
import { PLAIN_LINES } from '../../../tests/fixtures/staged-lines.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../../tests/fixtures/test-stores.ts';
import { openInventoryWriter } from '../../ingest/open-inventory-writer.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { openFeedStore } from './open-feed-store.ts';
import { openStaging, type Staging } from './staging.ts';

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
