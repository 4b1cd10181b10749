import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptsOf } from '../../server/feed/attempts/attempt-table.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** FEED_NOW is 09:00 in London. */
const FEED = { source: 'feed.ndjson', schedule: '30 * * * *', maxAge: 24 };
const SUNWARD = {
  code: 'SUNW',
  name: 'Sunward',
  linkHosts: ['www.sunward.example', 'click.network.example'],
  feed: FEED,
};
const BAYSIDE = { code: 'BAYS', name: 'Bayside', linkHosts: ['www.bays.example'] };

describe.each(STORE_KINDS)('the schedule of feeds in the %s store', (kind) => {
  let site: FeedSite;
  let now: number;
  beforeEach(async () => {
    site = await makeFeedSite(kind, { providers: [SUNWARD, BAYSIDE] });
    now = FEED_NOW;
    feed(20);
  });
  afterEach(() => site.close());

  function feed(count: number, change: Record<string, unknown> = {}): void {
    const items = Array.from({ length: count }, (_, index) =>
      feedItem({ HotelIdentifierCode: `H${index}`, ...(index === 0 ? change : {}) }),
    );
    const path = site.file('feed.ndjson', ndjson(items));
    utimesSync(path, now / 1_000, now / 1_000);
  }
  const later = (ms: number) => {
    now += ms;
    site.setNow(now);
  };
  /** What the server does for a provider whose work its thread considers due. */
  const work = (code = 'SUNW') => site.run(['run', code, '--if-due']);
  const planned = async () => (await site.run(['schedule'])).out;
  const stored = () => site.offers().length;
  const outcomes = () =>
    attemptsOf(site.database(), 'SUNW')
      .map(({ outcome }) => outcome)
      .toReversed();

  it('fetches a new provider’s feed immediately, and then once each time', async () => {
    expect(await planned()).toBe('SUNW: fetch its feed, now');
    await work();
    expect([stored(), await planned()]).toEqual([20, 'SUNW: fetch its feed, 2026-11-21T09:30:00.000Z']);
    // As another server, which has found the same fetch due.
    expect(await work()).toEqual({ exit: 0, out: '' });
    later(HOUR_MS);
    feed(21);
    await work();
    expect([stored(), outcomes()]).toEqual([21, ['imported', 'imported']]);
  });

  it('retries a failed fetch at increasing intervals', async () => {
    site.setProviders({
      providers: [{ ...SUNWARD, feed: { ...FEED, source: 'missing', schedule: '0 3 * * *' } }],
    });
    for (const minutes of [1, 5, 15, 60, 60]) {
      expect((await work()).exit).toBe(1);
      const next = new Date(now + minutes * MINUTE_MS).toISOString();
      expect(await planned()).toBe(`SUNW: fetch its feed, ${next}`);
      later(minutes * MINUTE_MS);
    }
  });

  it('takes packages off sale that are not seen for too long, and shows them when they are seen again', async () => {
    await work();
    site.setProviders({ providers: [{ ...SUNWARD, feed: { ...FEED, source: 'missing' } }] });
    later(24 * HOUR_MS - 1);
    await work();
    expect(stored()).toBe(20);
    later(1);
    expect((await work()).out).toContain('because its feed has not been seen for too long');
    expect(stored()).toBe(0);
    site.setProviders({ providers: [SUNWARD] });
    later(2 * HOUR_MS);
    await work();
    expect([stored(), outcomes()]).toEqual([20, ['imported', 'failed', 'withdrawn', 'imported']]);
  });

  it('takes a removed provider’s packages off sale, and restores them with the provider', async () => {
    await work();
    site.setProviders({ providers: [BAYSIDE] });
    expect(await planned()).toBe('SUNW: take its packages off sale, now: providers.json does not list it');
    await work();
    expect(stored()).toBe(0);
    site.setProviders({ providers: [SUNWARD] });
    await work();
    expect(stored()).toBe(20);
  });

  it('applies changed names and link hosts to the stored feed', async () => {
    feed(20, { DeeplinkUrl: 'https://click.network.example/1' });
    await work();
    site.setProviders({
      providers: [{ ...SUNWARD, name: 'Sunward Holidays', linkHosts: ['www.sunward.example'] }],
    });
    expect(await planned()).toBe('SUNW: import its stored feed again, now: settings changed');
    await work();
    expect(stored()).toBe(19);
    expect(site.ask("select name from provider where code = 'SUNW'")).toEqual([['Sunward Holidays']]);
    expect(await planned()).toBe('SUNW: fetch its feed, 2026-11-21T09:30:00.000Z');
  });

  it('takes all packages off sale if no link may be used any more', async () => {
    await work();
    site.setProviders({ providers: [{ ...SUNWARD, linkHosts: ['other.example'] }] });
    expect((await work()).exit).toBe(1);
    await work();
    expect([stored(), outcomes()]).toEqual([0, ['imported', 'failed', 'withdrawn']]);
    expect(await work()).toEqual({ exit: 0, out: '' });
  });

  describe('with changes', () => {
    const CHANGING = { ...FEED, changes: { source: 'changes.ndjson', schedule: '*/10 * * * *' } };
    const item = (hotel: string, change: Record<string, unknown> = {}) =>
      feedItem({ HotelIdentifierCode: hotel, TotalPrice: 900, ...change });
    const whole = (Sequence: number, hotels: string) =>
      site.file('feed.ndjson', ndjson([...hotels].map((hotel) => item(hotel, { Sequence }))));
    const changes = (...items: unknown[]) => site.file('changes.ndjson', ndjson(items));
    const prices = () =>
      site
        .ask('select hotel.code, price from offer join hotel on hotel.id = hotel order by 1')
        .map(([code, price]) => `${String(code)} ${Number(price) / 100}`)
        .join(', ');
    const tick = async () => {
      later(10 * MINUTE_MS);
      return (await work()).out;
    };

    it('applies additions, prices and deletions in their order, each once, and nothing else', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCDEFGH');
      await work();
      changes(
        item('A', { TotalPrice: 850, Sequence: 5 }),
        { ...item('B', { Sequence: 5 }), TotalPrice: undefined, DeeplinkUrl: undefined, Deleted: true },
        item('Z', { Sequence: 5 }),
      );
      await tick();
      const expected = 'A 850, C 900, D 900, E 900, F 900, G 900, H 900, Z 900';
      expect(prices()).toBe(expected);
      expect(await tick()).toContain('nothing new');
      changes(item('A', { TotalPrice: 999, Sequence: 5 }));
      expect(await tick()).toContain('Changes 5 are already in the store');
      expect(prices()).toBe(expected);
    });

    it('fetches the whole feed if changes are missing', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCDEFGH');
      await work();
      whole(7, 'ABCDEFGHI');
      changes(item('A', { TotalPrice: 850, Sequence: 7 }));
      expect(await tick()).toContain(
        'Changes 7 follow 4: those in between are missing, so a full feed is needed',
      );
      expect(prices()).toContain('A 900');
      expect(prices()).toContain('I 900');
      changes(item('A', { TotalPrice: 860, Sequence: 8 }));
      await tick();
      expect(prices()).toContain('A 860');
      expect(outcomes()).toEqual(['imported', 'failed', 'imported', 'imported']);
    });

    it('holds changes for review, accepts them as changes, and keeps discarded ones away', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCDEFGH');
      await work();
      const removal = (hotel: string, Sequence: number) => ({ ...item(hotel, { Sequence }), Deleted: true });
      changes(removal('A', 5), removal('B', 5), removal('C', 5));
      await tick();
      expect((await site.run(['discard', 'SUNW'])).exit).toBe(0);
      expect(await tick()).toContain('which was discarded');
      changes(removal('A', 5), removal('B', 5), removal('C', 5), removal('D', 5));
      await tick();
      expect(outcomes()).toEqual(['imported', 'discarded', 'discarded', 'held']);
      expect((await site.run(['accept', 'SUNW'])).exit).toBe(0);
      expect(prices()).toBe('E 900, F 900, G 900, H 900');
      changes(item('I', { Sequence: 6 }));
      await tick();
      expect(prices()).toBe('E 900, F 900, G 900, H 900, I 900');
    });

    it('judges only the countries that the changes are about', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      const greek = { HolidayCountry: 'Greece', HolidayRegion: 'Crete', HolidayResort: 'Malia' };
      const all = Array.from({ length: 240 }, (_, nth) =>
        item(`H${nth}`, { Sequence: 4, ...(nth % 2 === 0 ? greek : {}) }),
      );
      site.file('feed.ndjson', ndjson(all));
      await work();
      changes(item('H1', { TotalPrice: 850, Sequence: 5 }));
      await tick();
      expect(outcomes()).toEqual(['imported', 'imported']);
    });
  });
});
