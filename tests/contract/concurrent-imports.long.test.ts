import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../server/storage/open/database.ts';
import type { SqlDatabase } from '../../server/storage/sql-database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import { expectTrueBlocks } from '../fixtures/expect-true-blocks.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { holdTransaction } from '../fixtures/held-transaction.ts';
import { importInProcess } from '../fixtures/import-process.ts';
import { SHARED_STORE_KINDS } from '../fixtures/shared-store-kinds.ts';

const PROVIDERS = {
  providers: [
    { code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'] },
    { code: 'BAYS', name: 'Bayside', linkHosts: ['www.bayside.example'] },
  ],
};

const HOSTS = { SUNW: 'www.sunward.example', BAYS: 'www.bayside.example' };

const HOTELS = 60;
const IMPORTS = 4;

/** A provider's feed. Both providers' feeds name the same new resorts, rooms and airports in different orders. */
function feedOf(provider: 'SUNW' | 'BAYS', price: number): string {
  const items = Array.from({ length: HOTELS }, (_, nth) =>
    feedItem({
      Brand: provider,
      TotalPrice: price + nth,
      HolidayResort: nth % 2 === 0 ? 'Benidorm' : 'Albir',
      HotelName: `Hotel ${nth}`,
      HotelIdentifierCode: `H${nth}`,
      RoomTypeDescription: `Room ${nth % 7}`,
      DepartureDate: nth % 3 === 0 ? '2027-06-12' : '2027-07-03',
      DeeplinkUrl: `https://${HOSTS[provider]}/h/${nth}`,
    }),
  );
  return ndjson(provider === 'SUNW' ? items : items.toReversed());
}

/** Packages whose new records get the same numbers in either provider's first import. */
function shapedFeed(provider: 'SUNW' | 'BAYS', packages: number, price: number): string {
  return ndjson(
    Array.from({ length: packages }, (_, nth) =>
      feedItem({
        Brand: provider,
        TotalPrice: price + nth,
        HotelName: `Hotel ${provider} ${nth}`,
        HotelIdentifierCode: `${provider}${nth}`,
        DeeplinkUrl: `https://${HOSTS[provider]}/h/${nth}`,
      }),
    ),
  );
}

/** Waits until another connection waits for a lock of the store. */
async function waitForLock(database: SqlDatabase): Promise<void> {
  const waiting = database.prepare(
    `select count(*) from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where datname = current_database() and locktype = 'advisory' and not granted`,
  );
  await vi.waitFor(async () => expect(await waiting.row()).toEqual([1]), { timeout: 30_000, interval: 100 });
}

describe.each(SHARED_STORE_KINDS)('Imports of two providers into the %s store', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind, PROVIDERS);
  }, 120_000);
  afterEach(() => site.close());

  function importEach(provider: 'SUNW' | 'BAYS', feeds: readonly string[], imports: number): Promise<void> {
    return importInProcess({
      store: site.address,
      dataDir: site.folder,
      lists: join(import.meta.dirname, '../../assets'),
      providers: PROVIDERS,
      provider,
      feeds,
      imports,
      now: FEED_NOW,
    });
  }
  const importFeed = (provider: 'SUNW' | 'BAYS', feed: string) => importEach(provider, [feed], 1);
  const importFeeds = (provider: 'SUNW' | 'BAYS') =>
    importEach(
      provider,
      [500, 450, 620].map((price) => feedOf(provider, price)),
      IMPORTS,
    );

  it('do not wait for maintenance of the staging table, such as the move of a shard', async () => {
    const holding = await openDatabase(site.address);
    const held = await holdTransaction(holding, 'history');
    await held.run((tx) => tx.exec('lock table offer_staged in share update exclusive mode'));
    const { exit } = await site.run(['import', '-', '--provider', 'SUNW', '--accept'], feedOf('SUNW', 500));
    expect(exit).toBe(0);
    expect(await site.offers()).toHaveLength(HOTELS);
    await held.rollback();
    await holding.close();
  });

  it.each([
    ['sell packages of the same shape', HOTELS, 500],
    ['are of different sizes', 10, 500],
    ['have different prices', HOTELS, 1_500],
  ])(
    'keep two simultaneous first imports separate, whose providers %s',
    async (_what, packages, price) => {
      const holding = await openDatabase(site.address);
      const held = await holdTransaction(holding, 'offers of SUNW');
      const sunward = importFeed('SUNW', shapedFeed('SUNW', packages, price));
      // The import has read the dictionaries, which contain neither provider yet.
      await waitForLock(holding);
      await importFeed('BAYS', shapedFeed('BAYS', HOTELS, 500));
      await held.rollback();
      await holding.close();
      await sunward;
      const counts =
        'select code, count(*) from offer join provider on provider.id = provider group by code order by code';
      expect(await site.ask(counts)).toEqual([
        ['BAYS', HOTELS],
        ['SUNW', packages],
      ]);
      await expectTrueBlocks(site.database());
    },
    60_000,
  );

  it('run at the same time, number new records once, and keep the price blocks correct', async () => {
    await Promise.all([importFeeds('SUNW'), importFeeds('BAYS')]);
    expect(await site.offers()).toHaveLength(2 * HOTELS);
    for (const [table, key] of [
      ['resort', 'region, name'],
      ['room', 'code'],
      ['airport', 'code'],
      ['provider', 'code'],
      ['hotel', 'provider, code'],
    ]) {
      expect(
        await site.ask(`select ${key} from ${table} group by ${key} having count(*) > 1`),
        table,
      ).toEqual([]);
    }
    const unknown = `select count(*) from offer
      left join hotel on hotel.id = offer.hotel left join resort on resort.id = offer.resort
      left join room on room.id = offer.room left join flight on flight.id = offer.outbound_flight
      where hotel.id is null or resort.id is null or room.id is null or flight.id is null
        or hotel.resort <> offer.resort`;
    expect(await site.ask(unknown)).toEqual([[0]]);
    await expectTrueBlocks(site.database());
    expect(await site.ask('select count(*) from offer_staged')).toEqual([[0]]);
    expect(await site.ask('select count(*) from block_day_staged')).toEqual([[0]]);
  }, 120_000);
});

const SHARING = {
  providers: PROVIDERS.providers.map((provider) => ({ ...provider, hotelCodes: 'shared' })),
};

const A_HOTEL = {
  HotelName: 'Hotel Sol',
  HotelIdentifierCode: 'SOL1',
  StarRating: 4,
  ConsumerRating: undefined,
};

describe.each(SHARED_STORE_KINDS)('Providers with shared hotel codes in the %s store', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind, SHARING);
  }, 120_000);
  afterEach(() => site.close());

  const feedWith = (provider: 'SUNW' | 'BAYS', hotel: object) =>
    ndjson([
      feedItem({ ...A_HOTEL, ...hotel, Brand: provider, DeeplinkUrl: `https://${HOSTS[provider]}/1` }),
    ]);
  const importFirst = (provider: 'SUNW' | 'BAYS', hotel: object = {}) =>
    site.run(['import', '-', '--provider', provider], feedWith(provider, hotel));
  const begin = (provider: 'SUNW' | 'BAYS', feeds: readonly string[]) =>
    importInProcess({
      store: site.address,
      dataDir: site.folder,
      lists: join(import.meta.dirname, '../../assets'),
      providers: SHARING,
      provider,
      feeds,
      imports: 1,
      now: FEED_NOW + 3_600_000,
    });
  const described = () =>
    site.ask(`select hotel.name, half_stars, consumer_rating, provider.code
      from hotel left join provider on provider.id = described_by where hotel.code = 'SOL1'`);

  /** Begins an import, and runs `meanwhile` once it has read the dictionaries and waits for a lock. */
  async function whileHeld(provider: 'SUNW' | 'BAYS', hotel: object, meanwhile: () => Promise<unknown>) {
    const holding = await openDatabase(site.address);
    const locked = await holdTransaction(holding, `offers of ${provider}`);
    const held = begin(provider, [feedWith(provider, hotel)]);
    await waitForLock(holding);
    const other = meanwhile();
    // Gives `meanwhile` enough time to finish if it does not wait.
    await setTimeout(4_000);
    await locked.rollback();
    await holding.close();
    await Promise.all([held, other]);
  }

  it('lose nothing of what two simultaneous imports say about a hotel', async () => {
    await importFirst('SUNW');
    await importFirst('BAYS');
    await whileHeld('BAYS', { ConsumerRating: 8.7 }, () =>
      begin('SUNW', [feedWith('SUNW', { HotelName: 'Gran Hotel Sol', StarRating: 5 })]),
    );
    expect(await described()).toEqual([['Gran Hotel Sol', 10, 8.7, 'SUNW']]);
    expect(
      await site.ask(
        `select half_stars from offer join provider on provider.id = provider where code = 'SUNW'`,
      ),
    ).toEqual([[10]]);
  }, 120_000);

  it('let another provider describe a hotel whose provider is removed during its import', async () => {
    await importFirst('SUNW');
    await importFirst('BAYS');
    await whileHeld('BAYS', { ConsumerRating: 8.7 }, () => begin('SUNW', []));
    expect(await described()).toEqual([['Hotel Sol', 8, 8.7, null]]);
  }, 120_000);
});

describe('An import that is writing into the postgresql store', () => {
  it('does not delay sign-ups', async () => {
    const alerts = await openSmallAlerts({ store: 'postgresql' });
    const importing = await openDatabase(alerts.address);
    const held = await holdTransaction(importing, 'offers of SUNW');
    await held.run(async (tx) => {
      await tx.lock('price blocks');
      await tx.exec('update offer set price = price + 1');
    });
    const answer = await alerts.signUp(dramaNumber(1), alerts.itemKeys[0] ?? '');
    expect(answer.kind).toBe('ok');
    await held.commit();
    await importing.close();
    await alerts.close();
  });
});
