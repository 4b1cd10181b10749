import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromDayNumber } from '../../domain/calendar-date.ts';
import { applyCharges } from '../../server/ingest/apply-charges.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { NO_CHARGES, totalPrice } from '../../server/inventory/offer-charges.ts';
import { OFFER, OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
import { offerTable } from '../../server/inventory/tables/offer-table.ts';
import { storedCatalogue } from '../../server/inventory/tables/stored-catalogue.ts';
import { packageHistoryReader } from '../../server/price-history/package-history.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { openSmallAlerts, type SmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { expectTrueBlocks } from '../fixtures/expect-true-blocks.ts';
import { ALL_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';
import { SMALL_CHARGES, withSmallCharges } from '../fixtures/small-charges.ts';
import { smallOffers } from '../fixtures/small-inventory.ts';

const DOUBLED = {
  ...SMALL_CHARGES,
  rules: SMALL_CHARGES.rules.map((rule) => ({ ...rule, amount: 2 * rule.amount })),
};

const ChargeFields = v.object({
  LocalCharges: v.nullable(v.number()),
  LocalChargeParts: v.optional(v.array(v.object({ Pounds: v.number() }))),
});

describe.each(ALL_STORE_KINDS)('A new table of local charges in the %s store', (store) => {
  let alerts: SmallAlerts;
  let database: Awaited<ReturnType<typeof openDatabase>>;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store });
    database = await openDatabase(alerts.address);
  });
  afterEach(async () => {
    await database.close();
    await alerts.close();
  });

  const offers = async () =>
    (await database.prepare(`select ${OFFER_COLUMNS.join(', ')} from offer`).rows()) as unknown as OfferRow[];
  const stored = async () => (await offers()).map(String).toSorted();
  const drain = () => alerts.parts.dispatcher.drain();
  const drops = async () => (await alerts.messages()).filter(({ kind }) => kind === 'drop');
  /** A watched package in Benidorm, where all charges depend on stars, nights, party and price. */
  const watched = () => alerts.itemKeys.find((itemKey) => itemKey.includes(':H-1:')) ?? '';
  /** The provider's price of the watched package, without charges. */
  const providerPrice = async () =>
    (await alerts.parts.store.packages.find(watched()))?.offer[OFFER.price] ?? 0;

  it("rewrites all packages' charges and prices by day, and records no price", async () => {
    const observed = () => database.prepare('select count(*) from price_observation').row();
    const before = await observed();
    for (const [table, expected] of [
      [SMALL_CHARGES, withSmallCharges(smallOffers())],
      [NO_CHARGES, smallOffers()],
      [SMALL_CHARGES, withSmallCharges(smallOffers())],
    ] as const) {
      await applyCharges(alerts.address, table);
      expect(await stored()).toEqual(expected.map(String).toSorted());
      await expectTrueBlocks(database);
    }
    expect(await observed()).toEqual(before);
  });

  /** Expects each offer to state no other charge than the one in its total. */
  async function expectConsistent(): Promise<void> {
    const { charges } = await storedCatalogue()(database);
    for (const offer of await offers()) {
      const { LocalCharges, LocalChargeParts = null } = v.parse(
        ChargeFields,
        JSON.parse(`{${charges.fieldsOf(offer)}}`),
      );
      const charge = totalPrice(offer) - offer[OFFER.price];
      expect(LocalCharges ?? 0).toBe(charge / 100);
      if (LocalChargeParts !== null)
        expect(LocalChargeParts.reduce((sum, { Pounds }) => sum + Math.round(Pounds * 100), 0)).toBe(charge);
      expect(charges.totalAt(offer, offer[OFFER.price])).toBe(totalPrice(offer));
      expect(charges.totalAt(offer, offer[OFFER.price] + 100) - totalPrice(offer)).toBeGreaterThan(0);
    }
  }

  /** Adds a pound to the prices of a day, as an import does that began under another table. */
  async function raisePrices(day: number): Promise<void> {
    const raised = (await offers())
      .filter(([departureDay]) => departureDay === day)
      .map((offer) => offer.with(OFFER.price, offer[OFFER.price] + 100) as unknown as OfferRow);
    await database.write('records', async (tx) => {
      const table = await offerTable(tx, { runs: null });
      await table.write(raised);
      await table.writeBlocks();
    });
  }

  it('is applied beside other writers, and continues after an interruption', async () => {
    await applyCharges(alerts.address, SMALL_CHARGES);
    const keyOn = (day: number) => alerts.itemKeys.find((key) => key.includes(fromDayNumber(day))) ?? '';
    const days = [...new Set((await offers()).map(([day]) => day))].toSorted((one, other) => one - other);
    const lastKey = keyOn(days.at(-1) ?? 0);
    const reached: string[] = [];
    const stopAfterThree = async () =>
      applyCharges(alerts.address, DOUBLED, {
        maxOffers: 1,
        onDay(day) {
          reached.push(day);
          if (reached.length === 3) throw new Error('The server was killed');
        },
      });
    await expect(stopAfterThree()).rejects.toThrow('The server was killed');
    await expectConsistent();
    await alerts.setPrice(lastKey, 77_700);
    await expectConsistent();
    let isRaised = false;
    await applyCharges(alerts.address, DOUBLED, {
      maxOffers: 1,
      async onDay(day) {
        reached.push(day);
        if (isRaised) return;
        isRaised = true;
        await raisePrices(days.at(-1) ?? 0);
      },
    });
    expect(reached).toEqual([...new Set(reached)].toSorted());
    const { charges } = await storedCatalogue()(database);
    expect((await offers()).filter((offer) => charges.charged(offer) !== offer)).toEqual([]);
    expect((await alerts.parts.store.packages.find(lastKey))?.offer[OFFER.price]).toBe(77_800);
    await expectConsistent();
    await expectTrueBlocks(database);
  });

  it('moves a package’s whole history', async () => {
    const offerNow = async () => (await alerts.parts.store.packages.find(watched()))?.offer as OfferRow;
    await alerts.setPrice(watched(), 90_000);
    const historyUnder = async (table: typeof SMALL_CHARGES) => {
      await applyCharges(alerts.address, table);
      const { charges } = await storedCatalogue()(database);
      const offer = await offerNow();
      const day = Math.floor(offer[OFFER.seenAt] / 1_440);
      const { daily } = await packageHistoryReader(database, charges.totalAt)(offer, day);
      return daily.map(({ price }) => price);
    };
    const [price = 0] = await historyUnder(NO_CHARGES);
    const [with1 = 0] = await historyUnder(SMALL_CHARGES);
    const [with2 = 0] = await historyUnder(DOUBLED);
    expect(price).toBe(90_000);
    expect(with1).toBe((await alerts.priceOf(watched())) - (with2 - with1));
    expect(with2 - with1).toBe(with1 - price);
  });

  it('fires no alert. Later drops are those of the provider’s price, shown as totals', async () => {
    await applyCharges(alerts.address, DOUBLED);
    await alerts.watch(SOMEBODY, watched());
    const dear = await alerts.priceOf(watched());
    await applyCharges(alerts.address, NO_CHARGES);
    await drain();
    expect(await alerts.priceOf(watched())).toBeLessThan(dear * 0.9);
    expect(await drops()).toEqual([]);
    await alerts.setPrice(watched(), (await providerPrice()) - 500);
    await drain();
    expect(await drops()).toEqual([]);

    await applyCharges(alerts.address, SMALL_CHARGES);
    const full = await alerts.priceOf(watched());
    await alerts.setPrice(watched(), Math.floor((await providerPrice()) * 0.8));
    await drain();
    const now = await alerts.priceOf(watched());
    expect(now).toBeLessThan(full);
    const pounds = (pence: number) => `£${Math.floor((pence + 50) / 100).toLocaleString('en-GB')}`;
    // The drop is measured from before the fall by £5, which is £5.35 with the charge of 7%.
    expect((await drops())[0]?.text).toContain(`drop to ${pounds(now)}, from ${pounds(full + 535)}`);
  });

  it('compares a limit with the total', async () => {
    await applyCharges(alerts.address, SMALL_CHARGES);
    const whole = Math.ceil((await alerts.priceOf(watched())) / 100);
    const body = signUpBody(SOMEBODY, watched());
    await alerts.service.signUp({
      body: { ...body, intent: { ...body.intent, belowPrice: whole - 2 } },
      address: '127.0.0.1',
    });
    await alerts.say(SOMEBODY, 'YES');
    // The provider's price is already far below the limit.
    await alerts.setPrice(watched(), (await providerPrice()) - 10);
    await drain();
    expect(await drops()).toEqual([]);
    await alerts.setPrice(watched(), (await providerPrice()) - 300);
    await drain();
    expect(await drops()).toHaveLength(1);
  });
});
