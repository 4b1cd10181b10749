import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addDays, dayNumber, fromDayNumber } from '../../domain/calendar-date.ts';
import { makeStore, STORE_KINDS, type TestStore } from '../../tests/fixtures/test-stores.ts';
import { wholeCatalogue } from '../../tests/fixtures/whole-catalogue.ts';
import { openInventoryWriter } from '../ingest/open-inventory-writer.ts';
import type { OfferRow } from '../inventory/inventory.ts';
import { itemKeyOf } from '../inventory/item-key.ts';
import { offerCodes } from '../inventory/offer-codes.ts';
import { KEY_COLUMNS, OFFER, OFFER_COLUMNS } from '../inventory/offer-columns.ts';
import type { InventoryWriter } from '../inventory/tables/inventory-writer.ts';
import { analysePrices } from '../price-history/analyse-prices.ts';
import { packageHistoryReader } from '../price-history/package-history.ts';
import { openDatabase } from '../storage/open/database.ts';
import type { SqlDatabase } from '../storage/sql-database.ts';
import { MARKET_POSITION_NOTE } from './market-simulation.ts';
import { moveSamplePrices } from './move-sample-prices.ts';
import { offersOfDay } from './offers-of-day.ts';
import { sampleMarket } from './sample-market.ts';
import { writeSampleHistory } from './write-sample-history.ts';

const SEED = 1;
const LOADED_ON = '2026-11-22';
const LOADED = dayNumber(LOADED_ON);
const NOON = 12 * 60;
const whole = sampleMarket(SEED);
const destinations = whole.destinations.slice(0, 4);
/** A small part of the market. Has no other hotels, because each hotel gets a history. */
const market = {
  ...whole,
  destinations,
  reference: {
    ...whole.reference,
    hotels: whole.reference.hotels.filter(({ resort }) => destinations.some((one) => one.resort === resort)),
  },
};
const codes = offerCodes(wholeCatalogue(market.reference));

describe.each(STORE_KINDS)('The moving sample in the %s store', (kind) => {
  let store: TestStore;
  let database: SqlDatabase;
  let writer: InventoryWriter;

  beforeEach(async () => {
    store = await makeStore(kind);
    writer = await openInventoryWriter(store.address, { recordsPrices: false });
    await writer.replaceReference(market.reference);
    // Two distant departure days, so that they are written in different transactions.
    for (const ahead of [40, 60]) await load(LOADED_ON, addDays(LOADED_ON, ahead), LOADED);
    database = await openDatabase(store.address);
    await writeSampleHistory(database, SEED, LOADED);
  });

  afterEach(async () => {
    await database.close();
    await writer.close();
    await store.remove();
  });

  const load = (pricedOn: string, departure: string, seenDay: number) =>
    writer.writeOffers(offersOfDay(market, departure, pricedOn, seenDay * 1440 + NOON));

  const offers = async () =>
    (await database
      .prepare(`select ${OFFER_COLUMNS.join(', ')} from offer order by ${KEY_COLUMNS.join(', ')}`)
      .rows()) as unknown as OfferRow[];

  async function moveTo(day: number, stopped = () => false): Promise<number> {
    await writeSampleHistory(database, SEED, day);
    return moveSamplePrices({ database, writer, now: day * 1440 + NOON, yieldTurn: async () => {}, stopped });
  }

  it('shows every package again each day, with some prices moved', async () => {
    const before = await offers();
    for (const days of [1, 2]) expect(await moveTo(LOADED + days)).toBe(before.length);
    const after = await offers();
    expect(after.every((offer) => offer[OFFER.seenAt] === (LOADED + 2) * 1440 + NOON)).toBe(true);
    const changed = after.filter((offer, index) => offer[OFFER.price] !== before[index]?.[OFFER.price]);
    expect(changed.length / after.length).toBeGreaterThan(0.1);
    expect(changed.length / after.length).toBeLessThan(0.6);
    expect(await moveTo(LOADED + 2)).toBe(0);
  });

  it('gives verdicts days after the load, but not for prices that were not seen since', async () => {
    const keys = (await offers())
      .filter((offer) => offer[OFFER.nights] === 7 && offer[OFFER.party] === 1)
      .map((offer) => itemKeyOf(codes(offer)));
    const reasons = async () =>
      (
        await analysePrices(
          {
            database,
            catalogue: wholeCatalogue(market.reference),
            neighbours: () => new Set(market.reference.airports.map(({ code }) => code)),
            staleAfterDays: 3,
          },
          keys,
          ((LOADED + 5) * 1440 + NOON + 60) * 60_000,
        )
      ).analyses.map(({ abstention }) => abstention);
    expect(new Set(await reasons())).toEqual(new Set(['STALE']));
    await moveTo(LOADED + 5);
    expect(await reasons()).not.toContain('STALE');
    expect((await reasons()).filter((one) => one === null).length).toBeGreaterThan(20);
  });

  it('has the same history of earlier days, within two pounds, without a row for each price', async () => {
    const before = await offers();
    const historyOf = packageHistoryReader(database, (_, price) => price);
    const past = await Promise.all(before.map(async (offer) => (await historyOf(offer, LOADED)).daily));
    await moveTo(LOADED + 5);
    for (const [index, offer] of (await offers()).entries()) {
      const { daily, sample } = await packageHistoryReader(database, (_, price) => price)(offer, LOADED + 5);
      expect(sample).toBe(true);
      // The price path covers 90 days, and the current run adds one.
      expect(daily.length).toBe(91);
      for (const { day, price } of past[index] ?? []) {
        const now = daily.find((one) => one.day === day);
        if (now !== undefined) expect(Math.abs(now.price - price)).toBeLessThanOrEqual(200);
      }
    }
    expect(await database.prepare('select count(*) from price_observation').row()).toEqual([0]);
  });

  it('continues an interrupted move, and does not change packages of new days', async () => {
    const transactions: number[] = [];
    await moveTo(LOADED + 4, () => transactions.push(1) > 1);
    const half = await offers();
    expect(new Set(half.map((offer) => offer[OFFER.seenAt])).size).toBe(2);
    const today = fromDayNumber(LOADED + 4);
    await load(today, addDays(LOADED_ON, 70), LOADED + 4);
    const added = offersOfDay(market, addDays(LOADED_ON, 70), today, (LOADED + 4) * 1440 + NOON);
    await moveTo(LOADED + 4);
    const done = await offers();
    expect(new Set(done.map((offer) => offer[OFFER.seenAt])).size).toBe(1);
    expect(done.slice(-added.length)).toEqual(added);
    // Prices moved before the interruption have not moved a second time.
    for (const [index, offer] of half.entries()) {
      if (offer[OFFER.seenAt] === (LOADED + 4) * 1440 + NOON) expect(done[index]).toEqual(offer);
    }
  });

  it('completes a history whose writing was interrupted, and removes departed months', async () => {
    const paths = () =>
      database
        .prepare('select hotel, departure_month, last_day from price_path order by hotel, departure_month')
        .rows();
    const whole = await paths();
    await database.exec(`update price_path set last_day = last_day - 1 where hotel % 2 = 0;
      insert into price_path (hotel, departure_month, last_day, levels)
      select hotel, departure_month - 19, last_day - 1, levels from price_path where hotel = 1`);
    await writeSampleHistory(database, SEED, LOADED);
    expect(await paths()).toEqual(whole);
  });

  it('writes a history in many short transactions', async () => {
    await writer.replaceReference(whole.reference);
    const begun = vi.spyOn(database, 'write');
    await writeSampleHistory(database, SEED, LOADED + 1);
    const paths = Number((await database.prepare('select count(*) from price_path').row())?.[0]);
    expect(begun.mock.calls.length).toBeGreaterThan(paths / 5_000);
  });

  it('does not move prices while the market is moved by hand', async () => {
    const before = await offers();
    await writer.writeNote(MARKET_POSITION_NOTE, JSON.stringify({ day: LOADED + 9, done: 0 }));
    await moveTo(LOADED + 3);
    const after = await offers();
    expect(after.map((offer) => offer[OFFER.price])).toEqual(before.map((offer) => offer[OFFER.price]));
    expect(new Set(after.map((offer) => offer[OFFER.seenAt]))).toEqual(new Set([(LOADED + 3) * 1440 + NOON]));
  });
});
