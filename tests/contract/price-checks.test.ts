import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import { conditionsOfStore } from '../../server/conditions/store-conditions.ts';
import { checksOf } from '../../server/feed/write/outside-writes.ts';
import { liftStanding } from '../../server/ingest/settle-visits.ts';
import { itemKeyOf } from '../../server/inventory/item-key.ts';
import { offerCodes } from '../../server/inventory/offer-codes.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { storedCatalogue } from '../../server/inventory/tables/stored-catalogue.ts';
import { packageSearch } from '../../server/package-search/fields/search-packages.ts';
import { parseArguments } from '../../server/package-search/query/search-request.ts';
import { openPackageRepository } from '../../server/package-search/store/open-package-repository.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase, SqlTransaction } from '../../server/storage/sql-database.ts';
import { priceAccuracy } from '../../server/visits/price-accuracy.ts';
import { type PriceCheckRequest, priceChecks } from '../../server/visits/price-checks.ts';
import { visitWriter } from '../../server/visits/visit-table.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { holdTransaction } from '../fixtures/held-transaction.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';
import { readersOf } from '../fixtures/test-threads.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(STORE_KINDS)('Price checks in the %s store', (kind) => {
  let site: FeedSite;
  let now: number;
  let monotonic: number;
  let questions: PriceCheckRequest[];
  /** What the provider's check returns, or the Error that it throws. */
  let said: unknown;
  let lines: string[];
  let tasks: (() => unknown)[];
  const opened: SqlDatabase[] = [];

  beforeEach(async () => {
    site = await makeFeedSite(kind);
    [now, monotonic, said] = [FEED_NOW, 0, null];
    [questions, lines, tasks] = [[], [], []];
  });
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    await site.close();
  });

  async function feed(prices: Record<string, number>) {
    site.setNow(now);
    const items = Object.entries(prices).map(([code, TotalPrice]) =>
      feedItem({ HotelIdentifierCode: code, HotelName: code, TotalPrice }),
    );
    const { exit, out } = await site.run(['import', '-', '--provider', 'SUNW', '--accept'], ndjson(items));
    expect(exit, out).toBe(0);
  }

  const visits = async () => {
    const catalogue = await storedCatalogue()(site.database());
    await catalogue.load(await site.offers());
    const codes = offerCodes(catalogue);
    const visitedAt = Math.floor(now / 60_000);
    return (await site.offers()).map((offer) => ({
      itemKey: itemKeyOf(codes(offer)),
      price: offer[OFFER.price],
      visitedAt,
      isShown: true,
      client: 1,
    }));
  };
  const visit = async () => {
    const [first] = await visits();
    if (first === undefined) throw new Error('There is no package');
    return first;
  };

  async function checker(perMinute = 100) {
    const database = await openDatabase(site.address);
    opened.push(database);
    return priceChecks(database, {
      checkOf: (code) => (code === 'SUNW' ? { url: 'https://check.sunward.example/', perMinute } : null),
      ask: async (_check, question) => {
        questions.push(question);
        if (said instanceof Error) throw said;
        return said;
      },
      isRecorded: true,
      soon: (task) => tasks.push(task),
      monotonicNow: () => monotonic,
      log: (line) => lines.push(line),
    });
  }
  const recorded = async () => {
    for (const task of tasks.splice(0)) await task();
  };
  const available = (totalPrice: number, currency = 'GBP') => ({ available: true, totalPrice, currency });

  async function found(brand = 'SKY'): Promise<number> {
    const repository = await openPackageRepository(site.address, readersOf(site.address));
    const options = { repository, brandCode: 'SKY', collapse: 'none', tokenKey: Buffer.from('key') } as const;
    const filters = { brand, startDate: '2027-06-12', endDate: '2027-06-19', departureAirports: ['LGW'] };
    const party = { numberOfAdults: 2, numberOfChildren: 0, numberOfInfants: 0 };
    const search = packageSearch({ ...options, now: () => now });
    const response = await search(
      parseArguments('searchPackages', { filters: { ...filters, ...party, duration: 7 } }),
    );
    await repository.close();
    return response.kind === 'response' ? response.count : -1;
  }

  it('ask the provider about its own package, and record its price for searches, history and accuracy', async () => {
    await feed({ A: 800 });
    now += HOUR;
    said = available(824);
    expect(await (await checker())(await visit())).toEqual({ price: 824_00 });
    expect(questions).toEqual([
      {
        link: 'https://www.sunward.example/h/SOL1',
        hotel: 'A',
        departureAirport: 'LGW',
        departureDate: '2027-06-12',
        nights: 7,
        board: 'HB',
        room: expect.any(String),
        adults: 2,
        children: 0,
        infants: 0,
      },
    ]);
    await recorded();
    expect(lines).toEqual([]);
    expect((await visit()).price).toBe(824_00);
    expect((await site.offers())[0]?.[OFFER.seenAt]).toBe(now / 60_000);
    expect(await site.ask('select price from price_observation order by seen_at')).toContainEqual([800_00]);
    const catalogue = await storedCatalogue()(site.database());
    expect(await priceAccuracy(site.database(), catalogue)).toMatchObject([
      { visits: 1, up: 1, standing: null },
    ]);
  });

  it('take a sold-out package off sale until a feed has it again', async () => {
    await feed({ A: 800, B: 700 });
    now += HOUR;
    said = { available: false };
    expect(await (await checker())(await visit())).toEqual({ price: null });
    await recorded();
    expect(await found()).toBe(1);
    now += HOUR;
    await feed({ A: 800, B: 700 });
    expect(await found()).toBe(2);
  });

  it('count until a file has the package that was made after the check', async () => {
    const priceCheck = { url: 'https://check.sunward.example/', perMinute: 100 };
    site.setProviders({
      providers: [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'], priceCheck }],
    });
    const stored = () => site.ask('select price, seen_at, price_since from offer order by price');
    await feed({ A: 800, B: 700 });
    now += HOUR;
    said = available(824);
    await (await checker())(await visit());
    await recorded();
    const checkedAt = now / 60_000;
    now += DAY;
    // The same file as before, so that it was made before the check.
    await feed({ A: 800, B: 700 });
    expect(await stored()).toEqual([
      [700_00, FEED_NOW / 60_000, FEED_NOW / 60_000],
      [824_00, checkedAt, checkedAt],
    ]);
    await feed({ A: 810, B: 700 });
    expect((await stored())[1]?.[0]).toBe(810_00);
  });

  it('share one request per package and minute, keep to the budget, and pause after failures', async () => {
    await feed(Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`H${nth}`, 500 + nth])));
    const check = await checker(16);
    const [one, ...others] = await visits();
    if (one === undefined) throw new Error('There is no package');
    said = available(500);
    expect(await Promise.all([check(one), check(one)])).toEqual([{ price: 500_00 }, { price: 500_00 }]);
    expect(questions).toHaveLength(1);
    const faults = [new Error('gone'), available(500, 'EUR'), available(50_000), { available: true }, 'no'];
    for (const [nth, fault] of faults.entries()) {
      said = fault;
      const other = others[nth];
      expect(other && (await check(other))).toBeNull();
    }
    expect(lines).toEqual([expect.stringContaining('check.sunward.example pause')]);
    said = available(500);
    expect(others[5] && (await check(others[5]))).toBeNull();
    expect(questions).toHaveLength(6);
    monotonic += 60_000;
    expect(others[6] && (await check(others[6]))).toEqual({ price: 500_00 });
    monotonic = 0;
    const small = await checker(1);
    expect(await small(one)).not.toBeNull();
    expect(others[0] && (await small(others[0]))).toBeNull();
  });

  it('give one client at most half of the budget, and hide no price from others', async () => {
    await feed(Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`H${nth}`, 500 + nth])));
    const check = await checker(8);
    said = available(500);
    const answers = async (client: number) =>
      (await Promise.all((await visits()).map((one) => check({ ...one, client })))).filter(
        (one) => one !== null,
      ).length;
    expect(await answers(1)).toBe(4);
    // The second client also gets the four shared answers.
    expect(await answers(2)).toBe(8);
    expect(questions).toHaveLength(8);
  });

  it('never write over an offer that has changed since it was read', async () => {
    const stored = () => site.ask('select price, expires_at, seen_at from offer');
    for (const answer of [available(824), { available: false }]) {
      await feed({ A: 800 });
      said = answer;
      const [before] = await visits();
      expect(before && (await (await checker())(before))).not.toBeNull();
      now += HOUR;
      await feed({ A: 900 });
      const after = await stored();
      await recorded();
      expect(await stored()).toEqual(after);
      now += HOUR;
    }
    expect(await (await checker())(await visit())).toEqual({ price: null });
    expect((await site.run(['remove', '--provider', 'SUNW', '--yes'])).exit).toBe(0);
    await recorded();
    expect(await stored()).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('wait for no offer that something else is writing, and record none that an import may write', async () => {
    await feed({ A: 800 });
    said = available(824);
    if (kind === 'embedded') return;
    const importing = await openDatabase(site.address);
    opened.push(importing);
    const [provider] = (await site.offers()).map((offer) => offer[OFFER.provider]);
    for (const work of [
      (tx: SqlTransaction) => tx.exec('update offer set price = 90000'),
      (tx: SqlTransaction) => tx.share(checksOf(provider ?? 0)),
    ]) {
      const held = await holdTransaction(importing, null);
      await held.run(work);
      await (await checker())(await visit());
      await recorded();
      await held.rollback();
      expect((await visit()).price).toBe(800_00);
    }
    expect(lines).toEqual([]);
  });

  it('show a price that is over 30% from the last feed’s, but store it nowhere', async () => {
    await feed({ A: 800 });
    const checked: unknown[] = [];
    for (const price of [1_040, 560, 1_041, 559, 401, 201, 101, 700]) {
      now += HOUR;
      said = available(price);
      const answer = await (await checker())(await visit());
      await recorded();
      checked.push([answer?.price, (await visit()).price]);
    }
    expect(checked).toEqual([
      [1_040_00, 1_040_00],
      [560_00, 560_00],
      [1_041_00, 560_00],
      [559_00, 560_00],
      [401_00, 560_00],
      [201_00, 560_00],
      [101_00, 560_00],
      [700_00, 700_00],
    ]);
    // A new feed's price is the one to compare with.
    now += HOUR;
    await feed({ A: 400 });
    said = available(521);
    await (await checker())(await visit());
    said = available(520);
    await (await checker())(await visit());
    await recorded();
    expect((await visit()).price).toBe(520_00);
  });

  it('learn nothing from a page whose price is no longer on sale', async () => {
    await feed({ A: 800 });
    const old = await visit();
    now += HOUR;
    await feed({ A: 960 });
    said = available(960);
    expect(await (await checker())(old)).toEqual({ price: 960_00 });
    await recorded();
    expect(await site.ask('select * from site_visit')).toEqual([]);
  });

  describe('and clicks judge a provider', () => {
    const prices = (factor: number, hotels: number) =>
      Object.fromEntries(Array.from({ length: hotels }, (_, nth) => [`H${nth}`, (500 + nth) * factor]));
    const standing = async () => (await storedCatalogue()(site.database())).standings.get('SUNW');
    const alertable = async () => {
      const packages = packageLookup(site.database());
      const [offer] = await site.offers();
      if (offer === undefined) throw new Error('There is no package');
      const { nights, party, airport, ...place } = await packages.read(offer);
      const days = [offer[OFFER.departureDay]];
      return packages.onSale({ resort: resortKey(place), nights, party, days, airports: new Set([airport]) });
    };
    const problems = async () =>
      (await conditionsOfStore(site.database(), { now, providers: [], feedLateMs: DAY })).map(
        ({ title }) => title,
      );

    /** Checks confirm the feed's prices and visitors click, then the next feed is dearer. */
    async function lie(hotels: number, clientOf: (nth: number) => number) {
      await feed(prices(1, hotels));
      now += HOUR;
      const check = await checker(1_000);
      const all = (await visits()).map((one, nth) => ({ ...one, client: clientOf(nth) }));
      for (const one of all) {
        said = available(one.price / 100);
        expect(await check(one)).toEqual({ price: one.price });
      }
      await recorded();
      await visitWriter(site.database())(all);
      now += HOUR;
      await feed(prices(1.2, hotels));
      now += HOUR;
    }

    it('that says "still" while its next feed is dearer, and show it again later', async () => {
      await lie(20, (nth) => nth);
      expect(await standing()).toBe('marked');
      expect(await problems()).toContain('The prices of SUNW differ, so its cards carry a warning');
      expect(await found()).toBe(20);
      expect(await alertable()).toHaveLength(20);
      await lie(20, (nth) => nth + 20);
      expect(await standing()).toBe('hidden');
      expect(await problems()).toContain('The prices of SUNW differ, so searches hide its packages');
      expect([await found(), await found('SUNW')]).toEqual([0, 0]);
      expect(await alertable()).toEqual([]);
      now += 29 * DAY;
      await feed(prices(1.2, 20));
      expect(await standing()).toBeUndefined();
      expect(await found()).toBe(20);
    });

    it('until an operator lifts its standing, after which only later visits count', async () => {
      await lie(20, (nth) => nth);
      await feed(prices(1, 20));
      await visitWriter(site.database())(await visits());
      expect(await liftStanding(site.database(), 'SUNW', now)).toBe(true);
      expect(await liftStanding(site.database(), 'SUNW', now)).toBe(false);
      expect([await standing(), await problems()]).toEqual([undefined, []]);
      now += HOUR;
      await feed(prices(1.2, 20));
      expect(await standing()).toBeUndefined();
      now += HOUR;
      await lie(20, (nth) => nth);
      expect(await standing()).toBe('marked');
    });

    it('not by one client, one package or prices that are no longer on sale', async () => {
      await lie(60, () => 7);
      expect(await standing()).toBeUndefined();
      // One package at each of 24 imports, by a new client each time.
      await feed(prices(1, 1));
      for (let nth = 1; nth <= 24; nth += 1) {
        await visitWriter(site.database())((await visits()).map((one) => ({ ...one, client: nth })));
        now += HOUR;
        await feed(prices(nth % 2 === 0 ? 1 : 1.2, 1));
      }
      expect(await standing()).toBeUndefined();
      await feed(prices(1, 60));
      const old = await visits();
      now += HOUR;
      await feed(prices(1.2, 60));
      now += HOUR;
      await visitWriter(site.database())(old.map((one, client) => ({ ...one, client })));
      await feed(prices(1.2, 60));
      expect(await standing()).toBeUndefined();
    });
  });
});
