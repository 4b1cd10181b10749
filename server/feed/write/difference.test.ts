import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdTransaction } from '../../../tests/fixtures/held-transaction.ts';
import { REFERENCE, smallOffers } from '../../../tests/fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../../tests/fixtures/test-stores.ts';
import { openInventoryWriter } from '../../ingest/open-inventory-writer.ts';
import type { OfferRow } from '../../inventory/inventory.ts';
import { OFFER } from '../../inventory/offer-columns.ts';
import { openDatabase } from '../../storage/open/database.ts';
import { findDifference } from './difference.ts';
import { openStaging, type Staging } from './staging.ts';

/** Far shorter than an import's, so that a short wait exceeds it. */
const IDLE_TIMEOUT_MS = 200;

const PROVIDER = 1;

/** More than the comparison reads at a time. */
const OFFERS = 12_000;

describe.each(STORE_KINDS)('A comparison with the %s store', (kind) => {
  let store: TestStore;
  let staging: Staging;
  const offers = manyOffers();

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
    ['in the middle, as if it were far longer than the store', 9_000],
  ])('survives a feed that stalls %s', async (_when, at) => {
    const database = await openDatabase(store.address, { idleTimeout: IDLE_TIMEOUT_MS });
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
    const options = {
      provider: PROVIDER,
      limits: { percent: 30, quarantine: { day: 0, isRepeated: false, isReleasing: false } },
      part: null,
      checkedAfter: null,
      correct: (row: OfferRow) => row,
      onDuplicate: () => {},
      onWalked: async () => {},
      onKept: () => {},
      onPackage: () => {},
      onTouched: () => {},
    };
    expect(await findDifference(database, slow, options)).toMatchObject({
      packages: OFFERS,
      unchanged: OFFERS,
      removed: 0,
    });
    await database.close();
  });

  it('does not extend the timeout of an idle write transaction', async () => {
    if (kind === 'embedded') return;
    const [hanging, other] = [
      await openDatabase(store.address, { idleTimeout: IDLE_TIMEOUT_MS }),
      await openDatabase(store.address),
    ];
    const held = await holdTransaction(hanging);
    await sleep(5 * IDLE_TIMEOUT_MS);
    await expect(held.commit()).rejects.toThrow('cannot be reached at the moment');
    await other.write('records', async () => {});
    await hanging.close();
    await other.close();
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
