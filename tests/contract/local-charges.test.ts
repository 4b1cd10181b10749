import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyCharges } from '../../server/ingest/apply-charges.ts';
import type { OfferRow } from '../../server/inventory/inventory.ts';
import { NO_CHARGES } from '../../server/inventory/offer-charges.ts';
import { OFFER, OFFER_COLUMNS } from '../../server/inventory/offer-columns.ts';
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

describe.each(ALL_STORE_KINDS)('A new table of local charges in the %s store', (store) => {
  let alerts: SmallAlerts;
  let database: ReturnType<typeof openDatabase>;
  beforeEach(async () => {
    alerts = await openSmallAlerts({ store });
    database = openDatabase(alerts.address);
  });
  afterEach(async () => {
    database.close();
    await alerts.close();
  });

  const stored = () =>
    database
      .prepare(`select ${OFFER_COLUMNS.join(', ')} from offer`)
      .rows()
      .map(String)
      .toSorted();
  const drain = () => alerts.parts.dispatcher.drain();
  const drops = () => alerts.messages().filter(({ kind }) => kind === 'drop');
  /** A watched package in Benidorm, where all charges depend on stars, nights, party and price. */
  const watched = () => alerts.itemKeys.find((itemKey) => itemKey.includes(':H-1:')) ?? '';
  /** The provider's price of the watched package, without charges. */
  const providerPrice = () => alerts.parts.store.packages.find(watched())?.offer[OFFER.price] ?? 0;

  it("rewrites all packages' charges and prices by day, and records no price", async () => {
    const observed = () => database.prepare('select count(*) from price_observation').row();
    const before = observed();
    for (const [table, expected] of [
      [SMALL_CHARGES, withSmallCharges(smallOffers())],
      [NO_CHARGES, smallOffers()],
      [SMALL_CHARGES, withSmallCharges(smallOffers())],
    ] as const) {
      await applyCharges(alerts.address, table);
      expect(stored()).toEqual(expected.map(String).toSorted());
      expectTrueBlocks(database);
    }
    expect(observed()).toEqual(before);
  });

  it('moves a package’s whole history', async () => {
    const offerNow = () => alerts.parts.store.packages.find(watched())?.offer as OfferRow;
    await alerts.setPrice(watched(), 90_000);
    const historyUnder = async (table: typeof SMALL_CHARGES) => {
      await applyCharges(alerts.address, table);
      const { charges } = storedCatalogue(database)();
      const offer = offerNow();
      const day = Math.floor(offer[OFFER.seenAt] / 1_440);
      const { daily } = packageHistoryReader(database, charges.totalAt)(offer, day);
      return daily.map(({ price }) => price);
    };
    const [price = 0] = await historyUnder(NO_CHARGES);
    const [with1 = 0] = await historyUnder(SMALL_CHARGES);
    const [with2 = 0] = await historyUnder(DOUBLED);
    expect(price).toBe(90_000);
    expect(with1).toBe(alerts.priceOf(watched()) - (with2 - with1));
    expect(with2 - with1).toBe(with1 - price);
  });

  it('fires no alert. Later drops are those of the provider’s price, shown as totals', async () => {
    await applyCharges(alerts.address, DOUBLED);
    await alerts.watch(SOMEBODY, watched());
    const dear = alerts.priceOf(watched());
    await applyCharges(alerts.address, NO_CHARGES);
    await drain();
    expect(alerts.priceOf(watched())).toBeLessThan(dear * 0.9);
    expect(drops()).toEqual([]);
    await alerts.setPrice(watched(), providerPrice() - 500);
    await drain();
    expect(drops()).toEqual([]);

    await applyCharges(alerts.address, SMALL_CHARGES);
    const full = alerts.priceOf(watched());
    await alerts.setPrice(watched(), Math.floor(providerPrice() * 0.8));
    await drain();
    const now = alerts.priceOf(watched());
    expect(now).toBeLessThan(full);
    const pounds = (pence: number) => `£${Math.floor((pence + 50) / 100).toLocaleString('en-GB')}`;
    // The drop is measured from before the fall by £5, which is £5.35 with the charge of 7%.
    expect(drops()[0]?.text).toContain(`drop to ${pounds(now)}, from ${pounds(full + 535)}`);
  });

  it('compares a limit with the total', async () => {
    await applyCharges(alerts.address, SMALL_CHARGES);
    const whole = Math.ceil(alerts.priceOf(watched()) / 100);
    const body = signUpBody(SOMEBODY, watched());
    await alerts.service.signUp({
      body: { ...body, intent: { ...body.intent, belowPrice: whole - 2 } },
      address: '127.0.0.1',
    });
    await alerts.say(SOMEBODY, 'YES');
    // The provider's price is already far below the limit.
    await alerts.setPrice(watched(), providerPrice() - 10);
    await drain();
    expect(drops()).toEqual([]);
    await alerts.setPrice(watched(), providerPrice() - 300);
    await drain();
    expect(drops()).toHaveLength(1);
  });
});
