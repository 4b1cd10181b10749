import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { offerOf } from '../inventory/offer.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { type Comparables, type ConvertParty, comparablesFinder } from './comparables.ts';

const MINUTE = Math.floor(NOW / 60_000);
const COUPLE = 1;
const FAMILY = 2;

const catalogue = wholeCatalogue(REFERENCE);
const neighbours = (code: string) => new Set(code === 'MAN' ? ['MAN'] : ['LGW', 'STN']);

/** Only one in four family packages is on sale, so that few have enough comparable ones. */
const offers = smallOffers().filter(
  (offer, index) => offer[OFFER.expiresAt] > MINUTE && (offer[OFFER.party] === COUPLE || index % 4 === 0),
);

const byNumber = (one: number, other: number) => one - other;

/** Finds comparables by a scan of all packages, for days outside holidays. */
function pricesWithin(
  offer: OfferRow,
  { firstDay, lastDay, within }: Comparables,
  near: (code: string) => ReadonlySet<string>,
): number[] {
  const codeOf = (airport: number) => catalogue.airports.get(airport)?.code ?? '';
  const same = [OFFER.nights, OFFER.party, OFFER.board, OFFER.country, OFFER.region];
  return offers
    .filter(
      (one) =>
        one[OFFER.departureDay] >= firstDay &&
        one[OFFER.departureDay] <= lastDay &&
        same.every((column) => one[column] === offer[column]) &&
        (within === 'region' || one[OFFER.resort] === offer[OFFER.resort]) &&
        one[OFFER.hotel] !== offer[OFFER.hotel] &&
        Math.abs(one[OFFER.halfStars] - offer[OFFER.halfStars]) <= 1 &&
        near(codeOf(offer[OFFER.airport])).has(codeOf(one[OFFER.airport])),
    )
    .map((one) => one[OFFER.price])
    .toSorted(byNumber);
}

/** Converts other parties' prices by a factor; rooms do not matter. */
const byParty =
  (factor: number | null): ConvertParty =>
  (offer, { party }) =>
    party === offer.party ? 1 : factor;

const isEnough = ({ prices, hotels }: Comparables) => prices.length >= 7 && hotels >= 3;

describe.each(STORE_KINDS)('comparable packages in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;

  beforeAll(async () => {
    store = await makeStore(kind);
    const writer = await openInventoryWriter(store.address);
    await writer.replaceReference(REFERENCE);
    await writer.writeOffers(offers);
    await writer.close();
    database = await openDatabase(store.address);
  });

  afterAll(async () => {
    await database.close();
    await store.remove();
  });

  const find = (offer: OfferRow, convert: ConvertParty | null) =>
    comparablesFinder(database, catalogue, neighbours, 400, convert)(offerOf(offer), MINUTE);
  const families = offers.filter((offer) => offer[OFFER.party] === FAMILY);
  const familiesWith = async (isServed: boolean) => {
    const found: OfferRow[] = [];
    for (const offer of families) if (isEnough(await find(offer, null)) === isServed) found.push(offer);
    return found;
  };

  it('are for the same party if there are enough of them', async () => {
    const served = await familiesWith(true);
    expect(served.length).toBeGreaterThan(5);
    for (const offer of served) {
      expect((await find(offer, byParty(1.3))).prices).toEqual((await find(offer, null)).prices);
    }
  });

  it('include other parties, with converted prices, if there are too few', async () => {
    let helped = 0;
    for (const offer of await familiesWith(false)) {
      const own = await find(offer, null);
      const found = await find(offer, byParty(1.3));
      if (!isEnough(found)) continue;
      helped += 1;
      expect(found.converted).toBeGreaterThan(0);
      const ofCouples = offers
        .filter((one) => one[OFFER.party] === COUPLE)
        .map((one) => Math.round(one[OFFER.price] * 1.3));
      const converted = [...found.prices];
      if (found.within === own.within) {
        for (const price of own.prices) converted.splice(converted.indexOf(price), 1);
        for (const price of converted) expect(ofCouples).toContain(price);
      }
    }
    expect(helped).toBeGreaterThan(5);
  });

  it('exclude parties that the model knows too little about', async () => {
    for (const offer of await familiesWith(false))
      expect((await find(offer, byParty(null))).prices).toEqual((await find(offer, null)).prices);
  });

  it('include other rooms for the same party at converted prices', async () => {
    let converted = 0;
    for (const offer of await familiesWith(true)) {
      const found = await find(offer, (_, { party }) => (party === FAMILY ? 2 : null));
      const doubled = offers
        .filter((one) => one[OFFER.party] === FAMILY && one[OFFER.room] !== offer[OFFER.room])
        .map((one) => one[OFFER.price] * 2);
      expect(found.prices.filter((price) => doubled.includes(price))).toHaveLength(found.converted);
      converted += found.converted;
    }
    expect(converted).toBeGreaterThan(5);
  });

  it('cover fewer days where a place has very many packages', async () => {
    const windows = new Set<number>();
    for (const offer of offers.slice(-20)) {
      for (const most of [0, 40, 100, 10_000]) {
        const found = await comparablesFinder(
          database,
          catalogue,
          neighbours,
          400,
          null,
          most,
        )(offerOf(offer), MINUTE);
        const window = found.lastDay - offer[OFFER.departureDay];
        windows.add(window);
        expect(found.prices.toSorted(byNumber)).toEqual(pricesWithin(offer, found, neighbours));
        if (most === 10_000) expect(found).toEqual(await find(offer, null));
        if (most === 0) expect(found).toMatchObject({ lastDay: offer[OFFER.departureDay] });
      }
    }
    expect([...windows].toSorted(byNumber)).toEqual([0, 1, 3, 7]);
  });

  it("convert prices from the other package's party, room and hotel", async () => {
    const asked: string[] = [];
    const known = new Set(
      offers.map((one) => [one[OFFER.hotel], one[OFFER.party], one[OFFER.room]].join('/')),
    );
    for (const offer of await familiesWith(false)) {
      await find(offer, (own, { hotel, party, room }) => {
        expect(own.row).toBe(offer);
        expect([party, room]).not.toEqual([offer[OFFER.party], offer[OFFER.room]]);
        asked.push([hotel, party, room].join('/'));
        return 1;
      });
    }
    expect(asked.length).toBeGreaterThan(0);
    for (const one of asked) expect(known).toContain(one);
  });
});
