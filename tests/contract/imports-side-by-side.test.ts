import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/storage/open/database.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { openSmallAlerts } from '../fixtures/alerts/small-alerts.ts';
import { expectTrueBlocks } from '../fixtures/expect-true-blocks.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
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

/** Both providers name the same new resorts, rooms and airports, in another order. */
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

describe.each(SHARED_STORE_KINDS)('imports of two providers into the %s store', (kind) => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite(kind, PROVIDERS);
  }, 120_000);
  afterEach(() => site.close());

  function importFeeds(provider: 'SUNW' | 'BAYS'): Promise<void> {
    return importInProcess({
      store: site.address,
      dataDir: site.folder,
      lists: join(import.meta.dirname, '../../assets'),
      providers: PROVIDERS,
      provider,
      feeds: [feedOf(provider, 500), feedOf(provider, 450), feedOf(provider, 620)],
      imports: IMPORTS,
      now: FEED_NOW,
    });
  }

  it('do not wait for what holds the staged packages against maintenance, as the move of a shard does', async () => {
    const holding = openDatabase(site.address);
    holding.begin('history');
    holding.exec('lock table offer_staged in share update exclusive mode');
    const { exit } = await site.run(['import', '-', '--provider', 'SUNW'], feedOf('SUNW', 500));
    expect(exit).toBe(0);
    expect(site.offers()).toHaveLength(HOTELS);
    holding.rollback();
    holding.close();
  });

  it('run at once, number what both have found once, and keep the price blocks true', async () => {
    await Promise.all([importFeeds('SUNW'), importFeeds('BAYS')]);
    expect(site.offers()).toHaveLength(2 * HOTELS);
    for (const [table, key] of [
      ['resort', 'region, name'],
      ['room', 'code'],
      ['airport', 'code'],
      ['provider', 'code'],
      ['hotel', 'provider, code'],
    ]) {
      expect(site.ask(`select ${key} from ${table} group by ${key} having count(*) > 1`), table).toEqual([]);
    }
    const unknown = `select count(*) from offer
      left join hotel on hotel.id = offer.hotel left join resort on resort.id = offer.resort
      left join room on room.id = offer.room left join flight on flight.id = offer.outbound_flight
      where hotel.id is null or resort.id is null or room.id is null or flight.id is null
        or hotel.resort <> offer.resort`;
    expect(site.ask(unknown)).toEqual([[0]]);
    expectTrueBlocks(site.database());
    expect(site.ask('select count(*) from offer_staged')).toEqual([[0]]);
    expect(site.ask('select count(*) from block_day_staged')).toEqual([[0]]);
  }, 120_000);
});

describe('An import into the postgresql store that is writing', () => {
  it('keeps no sign-up waiting', async () => {
    const alerts = await openSmallAlerts({ store: 'postgresql' });
    const importing = openDatabase(alerts.address);
    importing.begin('offers of SUNW');
    importing.lock('price blocks');
    importing.exec('update offer set price = price + 1');
    const answer = await alerts.signUp(dramaNumber(1), alerts.itemKeys[0] ?? '');
    expect(answer.kind).toBe('ok');
    importing.commit();
    importing.close();
    await alerts.close();
  });
});
