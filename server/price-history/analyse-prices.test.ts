import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';
import { median } from '../../domain/median.ts';
import { FIRST_DAY, NOW, REFERENCE, smallOffers } from '../../tests/fixtures/small-inventory.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerOf } from '../inventory/offer.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { OFFER } from '../inventory/offer-columns.ts';
import { clockGuard } from '../storage/clock-guard.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { analysePrices, priceHistory } from './analyse-prices.ts';
import { comparedWith } from './compared-with.ts';
import { readPriceModels } from './model/model-table.ts';
import { deleteExpiredPrices, refreshPrices } from './refresh-prices.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE = Math.floor(NOW / 60_000);
const TODAY = Math.floor(MINUTE / 1440);

const BANK_HOLIDAY = dayNumber('2027-05-03');

const STALE_AFTER_DAYS = 400;

const catalogue = wholeCatalogue(REFERENCE);
const codes = offerCodes(catalogue);
/** Gatwick and Stansted share a region; Manchester has its own. */
const neighbours = (code: string) => new Set(code === 'MAN' ? ['MAN'] : ['LGW', 'STN']);

const offers = smallOffers();
const onSale = offers.filter((offer) => offer[OFFER.expiresAt] > MINUTE);
const changed = onSale.slice(0, 60);

describe.each(STORE_KINDS)('in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;

  beforeAll(async () => {
    store = await makeStore(kind);
    const writer = await openInventoryWriter(store.address);
    await writer.replaceReference(REFERENCE);
    // Sixty packages cost 1.6 times as much until twenty days ago, and 1.2 times until ten days ago.
    await writer.writeOffers(offers.map((offer) => (changed.includes(offer) ? at(offer, 1.6, 30) : offer)));
    for (let daysAgo = 29; daysAgo >= 0; daysAgo -= 1) {
      const factor = daysAgo > 20 ? 1.6 : daysAgo > 10 ? 1.2 : 1;
      await writer.writeOffers(changed.map((offer) => at(offer, factor, daysAgo)));
    }
    await writer.close();
    database = await openDatabase(store.address);
  });

  afterAll(async () => {
    await database.close();
    await store.remove();
  });

  const context = () => ({ database, catalogue, neighbours, staleAfterDays: STALE_AFTER_DAYS });
  const keyOf = (offer: OfferRow) => itemKeyOf(codes(offer));
  const analyse = async (some: readonly OfferRow[]) =>
    (await analysePrices(context(), some.map(keyOf), NOW)).analyses;

  describe('the price analysis', () => {
    it('compares a price with one price per day of its own history', async () => {
      const analyses = await analyse(changed);
      expect(analyses).toHaveLength(changed.length);
      for (const [index, { level, change, evidence }] of analyses.entries()) {
        const price = (changed[index]?.[OFFER.price] ?? 0) / 100;
        // Ten days at a factor of 1.6, ten at 1.2 and eleven at the current price: the median of 31 is at
        // 1.2.
        expect(level).toBe('LOW');
        expect(evidence?.own).toEqual({ median: expect.closeTo(price * 1.2, 1), prices: 31 });
        expect(evidence?.knownSince).toBe(fromDayNumber(TODAY - 30));
        expect(evidence?.history.map((point) => point.price / price)).toEqual(
          [1.6, 1.2, 1, 1].map((factor) => expect.closeTo(factor, 4)),
        );
        expect(change).toEqual({
          amount: expect.closeTo(price * -0.6, 1),
          since: fromDayNumber(TODAY - 21),
        });
        expect(evidence?.sample).toBe(false);
      }
    });

    it('finds the same comparable packages as a scan of all offers', async () => {
      let compared = 0;
      for (const [index, { evidence }] of (await analyse(changed)).entries()) {
        const offer = changed[index];
        if (offer === undefined) continue;
        const expected = naiveComparables(offer);
        if (evidence?.similar) {
          compared += 1;
          expect(evidence.similar).toMatchObject({
            prices: expected.length,
            median: Math.round(median(expected.map((one) => one[OFFER.price])) ?? 0) / 100,
            hotels: hotelsOf(expected),
          });
        } else {
          expect(expected.length < 7 || hotelsOf(expected) < 3).toBe(true);
        }
      }
      expect(compared).toBeGreaterThan(5);
    });

    it('gives no verdict for a package with one price, without a model', async () => {
      const [found] = await analyse(onSale.slice(-1));
      expect(found).toMatchObject({
        level: 'NO_VERDICT',
        abstention: 'FEW_PRICES',
        change: null,
        evidence: null,
      });
    });

    it('skips packages that are not on sale', async () => {
      const expired = offers.filter((offer) => offer[OFFER.expiresAt] <= MINUTE).slice(0, 1);
      expect(expired).toHaveLength(1);
      expect(await analyse(expired)).toEqual([]);
      const unknown = ['', 'SUN:H-1', 'x'.repeat(400)];
      expect(await analysePrices(context(), unknown, NOW)).toEqual({
        analyses: [],
        done: unknown.length,
      });
    });

    it('stops after the key during which its time ran out', async () => {
      const keys = changed.slice(0, 3).map(keyOf);
      const all = await analysePrices(context(), keys, NOW);
      expect(all.done).toBe(3);
      const one = await analysePrices(context(), keys, NOW, () => true);
      expect(one).toEqual({ analyses: all.analyses.slice(0, 1), done: 1 });
    });
  });

  it('a refresh writes a new version of the price model, whose band the analysis and the history share', async () => {
    expect(await refreshPrices(database, TODAY)).toEqual({ version: 1, packages: offers.length });
    expect((await refreshPrices(database, TODAY)).version).toBe(2);
    expect(await readPriceModels(database)).toMatchObject({ version: 2, trainedDay: TODAY });

    const levels = new Set<string>();
    for (const { itemKey, level, price, expected, evidence } of await analyse(onSale.slice(0, 80))) {
      if (expected === null) throw new Error('there is a model');
      const { low, high } = expected;
      levels.add(level);
      const side = price < low ? 'LOW' : price > high ? 'HIGH' : 'TYPICAL';
      expect([side, 'NO_VERDICT']).toContain(level);
      if (side === 'LOW' && evidence?.own) expect(level === 'LOW').toBe(price < evidence.own.median);
      const history = await priceHistory(context(), itemKey, NOW);
      expect(history?.typical).toEqual({ low, high });
      expect(history?.similar).toEqual(evidence?.similar);
    }
    expect(levels).toContain('TYPICAL');
  });

  it('departed packages are deleted, unless the clock has jumped since a server last checked it', async () => {
    const noon = (FIRST_DAY + 2.5) * DAY_MS;
    const firstDay = () => database.prepare('select min(departure_day) from offer').row();
    const before = await firstDay();
    await clockGuard(database, { wall: () => noon - 3 * DAY_MS, steady: () => 0 })();
    expect([await deleteExpiredPrices(database, noon), await firstDay()]).toEqual([false, before]);
    await clockGuard(database, { wall: () => noon - DAY_MS, steady: () => 0 })();
    expect([await deleteExpiredPrices(database, noon), await firstDay()]).toEqual([true, [FIRST_DAY + 2]]);
  });
});

it('an analysis reports how many of the comparable packages are for other parties', () => {
  const [offer] = onSale;
  if (offer === undefined) throw new Error('there are offers');
  const days = { firstDay: FIRST_DAY, lastDay: FIRST_DAY + 7 };
  const of = (converted: number) =>
    comparedWith(offerOf(offer), { prices: [], converted, hotels: 6, within: 'region', ...days }, catalogue);
  expect(of(0)).not.toContain('adjusted');
  expect(of(30)).toBe(`${of(0)} (30 adjusted from different groups or rooms)`);
});

function at(offer: OfferRow, factor: number, daysAgo: number): OfferRow {
  return offer
    .with(OFFER.price, Math.round(offer[OFFER.price] * factor))
    .with(OFFER.seenAt, MINUTE - daysAgo * 1440) as unknown as OfferRow;
}

function hotelsOf(some: readonly OfferRow[]): number {
  return new Set(some.map((offer) => offer[OFFER.hotel])).size;
}

/** Finds comparables by a simple scan. The only holiday is the bank holiday of 3 May 2027. */
function naiveComparables(offer: OfferRow): OfferRow[] {
  const near = neighbours(catalogue.airports.get(offer[OFFER.airport])?.code ?? '');
  const like = onSale.filter(
    (one) =>
      one[OFFER.hotel] !== offer[OFFER.hotel] &&
      Math.abs(one[OFFER.departureDay] - offer[OFFER.departureDay]) <= 7 &&
      one[OFFER.departureDay] <= BANK_HOLIDAY === offer[OFFER.departureDay] <= BANK_HOLIDAY &&
      one[OFFER.nights] === offer[OFFER.nights] &&
      one[OFFER.party] === offer[OFFER.party] &&
      one[OFFER.board] === offer[OFFER.board] &&
      Math.abs(one[OFFER.halfStars] - offer[OFFER.halfStars]) <= 1 &&
      near.has(catalogue.airports.get(one[OFFER.airport])?.code ?? ''),
  );
  const inResort = like.filter((one) => one[OFFER.resort] === offer[OFFER.resort]);
  const inRegion = like.filter((one) => one[OFFER.region] === offer[OFFER.region]);
  return inResort.length >= 7 && hotelsOf(inResort) >= 3 ? inResort : inRegion;
}
