import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import { itemKeyOf } from '../../server/inventory/item-key.ts';
import { offerCodes } from '../../server/inventory/offer-codes.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { storedCatalogue } from '../../server/inventory/tables/stored-catalogue.ts';
import { conditionsOfStore } from '../../server/notices/conditions.ts';
import { openPackageRepository } from '../../server/package-search/open-package-repository.ts';
import { packageSearch } from '../../server/package-search/search-packages.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { priceAccuracy } from '../../server/visits/price-accuracy.ts';
import { type PriceCheckRequest, priceChecks } from '../../server/visits/price-checks.ts';
import { visitWriter } from '../../server/visits/visit-table.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

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
    for (const database of opened.splice(0)) database.close();
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

  const visits = () => {
    const codes = offerCodes(storedCatalogue(site.database())());
    const visitedAt = Math.floor(now / 60_000);
    return site.offers().map((offer) => ({
      itemKey: itemKeyOf(codes(offer)),
      price: offer[OFFER.price],
      visitedAt,
      isShown: true,
    }));
  };
  const visit = () => {
    const [first] = visits();
    if (first === undefined) throw new Error('There is no package');
    return first;
  };

  function checker(perMinute = 100) {
    const database = openDatabase(site.address);
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
    const repository = await openPackageRepository(site.address);
    const options = { repository, brandCode: 'SKY', collapse: 'none', tokenKey: Buffer.from('key') } as const;
    const filters = { brand, startDate: '2027-06-12', endDate: '2027-06-19', departureAirports: ['LGW'] };
    const party = { numberOfAdults: 2, numberOfChildren: 0, numberOfInfants: 0 };
    const search = packageSearch({ ...options, now: () => now });
    const response = await search({ filters: { ...filters, ...party, duration: 7 } });
    await repository.close();
    return response.kind === 'response' ? response.count : -1;
  }

  it('ask the provider about its own package, and record its price for searches, history and accuracy', async () => {
    await feed({ A: 800 });
    now += HOUR;
    said = available(824);
    expect(await checker()(visit())).toEqual({ price: 824_00 });
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
    expect(visit().price).toBe(824_00);
    expect(site.offers()[0]?.[OFFER.seenAt]).toBe(now / 60_000);
    expect(site.ask('select price from price_observation order by seen_at')).toContainEqual([800_00]);
    const catalogue = storedCatalogue(site.database())();
    expect(priceAccuracy(site.database(), catalogue)).toMatchObject([{ visits: 1, up: 1, standing: null }]);
  });

  it('take a sold-out package off sale until a feed has it again', async () => {
    await feed({ A: 800, B: 700 });
    now += HOUR;
    said = { available: false };
    expect(await checker()(visit())).toEqual({ price: null });
    await recorded();
    expect(await found()).toBe(1);
    now += HOUR;
    await feed({ A: 800, B: 700 });
    expect(await found()).toBe(2);
  });

  it('share one request per package and minute, keep to the budget, and pause after failures', async () => {
    await feed(Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`H${nth}`, 500 + nth])));
    const check = checker(8);
    const [one, ...others] = visits();
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
    const small = checker(1);
    expect(await small(one)).not.toBeNull();
    expect(others[0] && (await small(others[0]))).toBeNull();
  });

  it('mark and then hide a provider that says "still" while its next feed is dearer, and show it again later', async () => {
    const prices = (factor: number, hotels: number) =>
      Object.fromEntries(Array.from({ length: hotels }, (_, nth) => [`H${nth}`, (500 + nth) * factor]));
    const click = visitWriter(site.database());
    const standing = () => storedCatalogue(site.database())().standings.get('SUNW');
    const alertable = () => {
      const packages = packageLookup(site.database());
      const [offer] = site.offers();
      if (offer === undefined) throw new Error('There is no package');
      const { nights, party, airport, ...place } = packages.read(offer);
      const days = [offer[OFFER.departureDay]];
      return packages.onSale({ resort: resortKey(place), nights, party, days, airports: new Set([airport]) });
    };
    const problems = () =>
      conditionsOfStore(site.database(), { now, providers: [], feedLateMs: DAY }).map(({ key }) => key);

    async function lie(hotels: number) {
      await feed(prices(1, hotels));
      now += HOUR;
      const check = checker(1_000);
      for (const one of visits()) {
        said = available(one.price / 100);
        expect(await check(one)).toEqual({ price: one.price });
      }
      await recorded();
      click(visits());
      now += HOUR;
      await feed(prices(1.2, hotels));
      now += HOUR;
    }
    await lie(20);
    expect(standing()).toBe('marked');
    expect(problems()).toContain('prices marked SUNW');
    expect(await found()).toBe(20);
    expect(alertable()).toHaveLength(20);
    await lie(20);
    expect(standing()).toBe('hidden');
    expect(problems()).toContain('prices hidden SUNW');
    expect([await found(), await found('SUNW')]).toEqual([0, 0]);
    expect(alertable()).toEqual([]);
    now += 29 * DAY;
    await feed(prices(1.2, 20));
    expect(standing()).toBeUndefined();
    expect(await found()).toBe(20);
  });
});
