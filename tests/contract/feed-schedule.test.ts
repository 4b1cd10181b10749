import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOfStore } from '../../server/conditions/store-conditions.ts';
import { attemptsOf, beginAttempt, endAttempt } from '../../server/feed/attempts/attempt-table.ts';
import { takeLease } from '../../server/feed/write/import-lease.ts';
import { applyCharges } from '../../server/ingest/apply-charges.ts';
import { openDatabase } from '../../server/storage/open/database.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { holdTransaction } from '../fixtures/held-transaction.ts';
import { SMALL_CHARGES } from '../fixtures/small-charges.ts';
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
  afterEach(async () => {
    if (kind !== 'embedded') await site.database().exec('drop function if exists failing cascade');
    await site.close();
  });

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
  const stored = async () => (await site.offers()).length;
  const outcomes = async () =>
    (await attemptsOf(site.database(), 'SUNW')).map(({ outcome }) => outcome).toReversed();

  it('fetches a new provider’s feed immediately, and then once each time', async () => {
    expect(await planned()).toBe('SUNW: fetch its feed, now');
    await work();
    expect([await stored(), await planned()]).toEqual([20, 'SUNW: fetch its feed, 2026-11-21T09:30:00.000Z']);
    // As another server, which has found the same fetch due.
    expect(await work()).toEqual({ exit: 0, out: '' });
    later(HOUR_MS);
    feed(21);
    await work();
    expect([await stored(), await outcomes()]).toEqual([21, ['imported', 'imported']]);
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

  /** Passes time, and does the work of SUNW whenever it is due. */
  async function pass(ms: number): Promise<void> {
    for (const until = now + ms; ; ) {
      const [, at] = /^SUNW: .*?, (now|\S+Z)/m.exec(await planned()) ?? [];
      const due = at === 'now' ? now : Date.parse(at ?? '');
      if (Number.isNaN(due) || due > until) return later(until - now);
      later(due - now);
      await work();
    }
  }
  const MISSING = { ...SUNWARD, feed: { ...FEED, source: 'missing' } };
  const DAILY = { ...FEED, schedule: '0 3 * * *' };

  it('takes packages off sale that are not seen for too long, and shows them when they are seen again', async () => {
    await work();
    site.setProviders({ providers: [MISSING] });
    await pass(24 * HOUR_MS - 1);
    expect(await stored()).toBe(20);
    await pass(HOUR_MS);
    expect([await stored(), (await outcomes()).filter((outcome) => outcome === 'withdrawn')]).toEqual([
      0,
      ['withdrawn'],
    ]);
    site.setProviders({ providers: [SUNWARD] });
    await pass(HOUR_MS);
    expect([await stored(), (await outcomes()).at(-1)]).toEqual([20, 'imported']);
  });

  it('fetches first after a long outage, and retries before it takes anything off sale', async () => {
    site.setProviders({ providers: [{ ...SUNWARD, feed: DAILY }] });
    await work();
    later(8 * 24 * HOUR_MS);
    expect(await planned()).toContain('SUNW: fetch its feed, now');
    await work();
    expect([await stored(), await outcomes()]).toEqual([20, ['imported', 'unchanged']]);
    later(8 * 24 * HOUR_MS);
    site.setProviders({ providers: [{ ...MISSING, feed: { ...DAILY, source: 'missing' } }] });
    await pass(80 * MINUTE_MS);
    expect([await stored(), (await outcomes()).slice(2)]).toEqual([
      20,
      ['failed', 'failed', 'failed', 'failed'],
    ]);
    await pass(2 * MINUTE_MS);
    expect([await stored(), (await outcomes()).slice(6)]).toEqual([0, ['failed', 'withdrawn']]);
    // The withdrawal was no run of the schedule, whose next time is at three o'clock.
    site.setProviders({ providers: [{ ...SUNWARD, feed: DAILY }] });
    await pass(HOUR_MS);
    expect(await stored()).toBe(20);
  });

  it('takes packages off sale after the retries even if the next retry is due as well', async () => {
    site.setProviders({ providers: [{ ...SUNWARD, feed: DAILY }] });
    await work();
    site.setProviders({ providers: [{ ...MISSING, feed: { ...DAILY, source: 'missing' } }] });
    later(8 * 24 * HOUR_MS);
    for (let nth = 0; nth < 5; nth += 1) {
      await work();
      later(HOUR_MS);
    }
    expect([await stored(), (await outcomes()).at(-1)]).toEqual([20, 'failed']);
    await work();
    expect([await stored(), (await outcomes()).at(-1)]).toEqual([0, 'withdrawn']);
  });

  it('fetches a feed before its maxAge ends although the schedule has it later', async () => {
    site.setProviders({ providers: [{ ...SUNWARD, feed: { ...FEED, schedule: '0 3 * * 1' } }] });
    await work();
    await pass(25 * HOUR_MS);
    expect([await stored(), await outcomes()]).toEqual([20, ['imported', 'unchanged']]);
  });

  it('takes a removed provider’s packages off sale, and restores them with the provider', async () => {
    await work();
    site.setProviders({ providers: [BAYSIDE] });
    expect(await planned()).toBe('SUNW: take its packages off sale, now: providers.json does not list it');
    await work();
    expect(await stored()).toBe(0);
    site.setProviders({ providers: [SUNWARD] });
    await work();
    expect(await stored()).toBe(20);
  });

  it('counts a restored price as seen again only when a later feed has it', async () => {
    const begun = Math.floor(now / MINUTE_MS);
    const runs = async () => {
      const all = await site.ask(`select seen_at, count(*) from (select seen_at from price_observation
        union all select price_since from offer where price_since > 0) as run group by 1 order by 1`);
      return all.map(([minute, count]) => [Number(minute) - begun, Number(count)]);
    };
    await work();
    later(HOUR_MS);
    feed(20, { TotalPrice: 950 });
    await work();
    site.setProviders({ providers: [BAYSIDE] });
    await work();
    const ended = await runs();
    expect(ended).toEqual([
      [0, 20],
      [60, 1],
    ]);
    site.setProviders({ providers: [{ ...SUNWARD, feed: DAILY }] });
    await work();
    expect(await stored()).toBe(20);
    // Those that the second feed had at the first one's price were not noted as seen again.
    expect(await runs()).toEqual([
      [0, 20],
      [60, 20],
    ]);
    later(24 * HOUR_MS);
    feed(21, { TotalPrice: 950 });
    await work();
    expect((await runs()).at(-1)).toEqual([1_500, 2]);
  });

  it('keeps since when a returned price was seen if a rollback keeps its later check', async () => {
    const checked = { ...SUNWARD, priceCheck: { url: 'https://check.sunward.example/' } };
    const begun = Math.floor(now / MINUTE_MS);
    site.setProviders({ providers: [checked] });
    feed(20, { DeeplinkUrl: 'https://click.network.example/1' });
    await work();
    site.setProviders({ providers: [{ ...checked, linkHosts: ['www.sunward.example'] }] });
    await work();
    expect(await stored()).toBe(19);
    site.setProviders({ providers: [checked] });
    await work();
    later(10 * MINUTE_MS);
    feed(21, { DeeplinkUrl: 'https://click.network.example/1' });
    later(20 * MINUTE_MS);
    // As price checks note it.
    await site.ask(`update offer set seen_at = ${begun + 30} returning seen_at`);
    await site.run(['run', 'SUNW']);
    await site.run(['rollback', 'SUNW', '--yes']);
    expect([await stored(), (await outcomes()).slice(-2)]).toEqual([20, ['rolled back', 'imported']]);
    expect(await site.ask('select distinct price_since, seen_at from offer')).toEqual([[begun, begun + 30]]);
  });

  it('applies a changed name with the stored feed', async () => {
    await work();
    site.setProviders({ providers: [{ ...SUNWARD, name: 'Sunward Holidays' }] });
    expect(await planned()).toBe('SUNW: import its stored feed again, now: settings changed');
    await work();
    expect(await site.ask("select name from provider where code = 'SUNW'")).toEqual([['Sunward Holidays']]);
    expect([await outcomes(), await planned()]).toEqual([
      ['imported', 'imported'],
      'SUNW: fetch its feed, 2026-11-21T09:30:00.000Z',
    ]);
  });

  it('applies changed link hosts to the stored feed', async () => {
    feed(20, { DeeplinkUrl: 'https://click.network.example/1' });
    await work();
    site.setProviders({ providers: [{ ...SUNWARD, linkHosts: ['www.sunward.example'] }] });
    expect(await planned()).toBe('SUNW: import its stored feed again, now: settings changed');
    await work();
    expect(await stored()).toBe(19);
    expect(await planned()).toBe('SUNW: fetch its feed, 2026-11-21T09:30:00.000Z');
  });

  describe('after a change of the link hosts', () => {
    const CHANGED = { ...SUNWARD, linkHosts: ['www.sunward.example'], feed: DAILY };

    /** Makes writes to a table fail, as a full disk does, until the returned function is called. */
    async function failing(event: string, condition = 'true'): Promise<() => Promise<void>> {
      const database = site.database();
      await database.exec(
        kind === 'embedded'
          ? `create trigger failing before ${event} when ${condition} begin select raise(abort, 'no'); end`
          : `create function failing() returns trigger language plpgsql as $$ begin
              if ${condition} then raise exception 'no'; end if; return new; end $$;
            create trigger failing before ${event} for each row execute function failing()`,
      );
      const drop = kind === 'embedded' ? 'drop trigger failing' : 'drop function failing cascade';
      return () => database.exec(drop);
    }

    it('keeps packages on sale while a passing failure lasts, and retries', async () => {
      await work();
      site.setProviders({ providers: [CHANGED] });
      const end = await failing('update on feed_attempt', "new.outcome in ('imported', 'unchanged')");
      for (const minutes of [1, 5, 15, 60, 60]) {
        expect((await work()).exit).toBe(1);
        const next = new Date(now + minutes * MINUTE_MS).toISOString();
        expect(await planned()).toBe(`SUNW: import its stored feed again, ${next}: settings changed`);
        later(minutes * MINUTE_MS);
      }
      await end();
      expect((await work()).exit).toBe(0);
      expect([await stored(), (await outcomes()).filter((outcome) => outcome === 'withdrawn')]).toEqual([
        20,
        [],
      ]);
      expect(await planned()).toBe('SUNW: fetch its feed, 2026-11-22T03:00:00.000Z');
    });

    it('keeps packages on sale while the store is locked', async () => {
      await work();
      site.setProviders({ providers: [CHANGED] });
      const other = await openDatabase(site.address);
      const locked = await holdTransaction(other);
      expect((await work()).exit).toBe(4);
      await locked.rollback();
      await other.close();
      await work();
      expect([await stored(), await outcomes()]).toEqual([20, ['imported', 'unchanged']]);
    });

    it('takes all packages off sale if no link may be used any more, after the retries', async () => {
      await work();
      site.setProviders({ providers: [{ ...CHANGED, linkHosts: ['other.example'] }] });
      await pass(80 * MINUTE_MS);
      expect([await stored(), (await outcomes()).slice(1)]).toEqual([
        20,
        ['failed', 'failed', 'failed', 'failed'],
      ]);
      await pass(2 * MINUTE_MS);
      expect([await stored(), (await outcomes()).slice(5)]).toEqual([0, ['failed', 'withdrawn']]);
      expect(await work()).toEqual({ exit: 0, out: '' });
    });

    it('keeps packages on sale if the source has links that may be used', async () => {
      await work();
      feed(20, {});
      const links = Array.from({ length: 20 }, (_, index) =>
        feedItem({ HotelIdentifierCode: `H${index}`, DeeplinkUrl: 'https://new.example/1' }),
      );
      site.file('feed.ndjson', ndjson(links));
      site.setProviders({ providers: [{ ...CHANGED, linkHosts: ['new.example'] }] });
      await pass(2 * MINUTE_MS);
      expect([await stored(), await outcomes()]).toEqual([20, ['imported', 'failed', 'imported']]);
    });

    it('retries a withdrawal that fails', async () => {
      await work();
      site.setProviders({ providers: [BAYSIDE] });
      const end = await failing('update on feed_attempt', "new.outcome = 'withdrawn'");
      expect((await work()).exit).toBe(1);
      expect(await planned()).toContain(new Date(now + MINUTE_MS).toISOString());
      await end();
      await pass(MINUTE_MS);
      expect(await stored()).toBe(0);
    });
  });

  it('goes on with the schedule after a clock that was ahead has been put right', async () => {
    site.setProviders({ providers: [{ ...SUNWARD, feed: { ...DAILY, maxAge: 1_000 } }] });
    await work();
    later(30 * 24 * HOUR_MS);
    await work();
    later(-30 * 24 * HOUR_MS);
    await pass(24 * HOUR_MS);
    expect(await outcomes()).toHaveLength(4);
    expect(await planned()).toBe('SUNW: fetch its feed, 2026-11-23T03:00:00.000Z');
  });

  it('downloads while another provider’s download is slow, and writes in turn', async () => {
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<ServerResponse>();
    const server = createServer((_request, response) => asked(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const bays = { ...BAYSIDE, feed: { source, schedule: '0 3 * * *' } };
    site.setProviders({ providers: [SUNWARD, bays] });
    const slow = work('BAYS');
    const response = await isAsked;
    await work();
    expect(await stored()).toBe(20);
    const writing = await takeLease(site.database(), '0', () => now);
    const second = kind === 'embedded' ? null : await takeLease(site.database(), '1', () => now);
    response.end(ndjson([feedItem({ Brand: 'BAYS', DeeplinkUrl: 'https://www.bays.example/1' })]));
    expect(await Promise.race([slow, setTimeout(500, 'waiting')])).toBe('waiting');
    for (const taken of [writing, second]) if (taken?.kind === 'lease') await taken.lease.release();
    expect(await slow).toMatchObject({ exit: 0 });
    expect(await stored()).toBe(21);
    server.close();
  });

  describe('with changes', () => {
    const CHANGING = { ...FEED, changes: { source: 'changes.ndjson', schedule: '*/10 * * * *' } };
    const item = (hotel: string, change: Record<string, unknown> = {}) =>
      feedItem({ HotelIdentifierCode: hotel, TotalPrice: 900, ...change });
    const whole = (Sequence: number, hotels: string) =>
      site.file('feed.ndjson', ndjson([...hotels].map((hotel) => item(hotel, { Sequence }))));
    const changes = (...items: unknown[]) => site.file('changes.ndjson', ndjson(items));
    const prices = async () =>
      (await site.ask('select hotel.code, price from offer join hotel on hotel.id = hotel order by 1'))
        .map(([code, price]) => `${String(code)} ${Number(price) / 100}`)
        .join(', ');
    const tick = async () => {
      later(10 * MINUTE_MS);
      return (await work()).out;
    };

    it('keeps changes when the settings change after the same full feed was fetched again', async () => {
      const provider = { ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } };
      site.setProviders({ providers: [provider] });
      whole(4, 'AB');
      await work();
      changes(item('A', { TotalPrice: 850, Sequence: 5 }));
      await tick();
      await site.run(['run', 'SUNW']);
      site.setProviders({ providers: [{ ...provider, name: 'Sunward Holidays' }] });
      expect(await work()).toMatchObject({ exit: 0 });
      expect(await prices()).toBe('A 850, B 900');
    });

    describe('after a change of the link hosts', () => {
      const HOSTS = { ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } };
      const FEWER = { ...HOSTS, linkHosts: ['www.sunward.example'] };
      const link = { DeeplinkUrl: 'https://click.network.example/1' };
      const full = () =>
        site.file(
          'feed.ndjson',
          ndjson([...'ABCD'].map((hotel) => item(hotel, { Sequence: 4, ...(hotel === 'B' ? link : {}) }))),
        );
      beforeEach(async () => {
        site.setProviders({ providers: [HOSTS] });
        full();
        await work();
        changes(item('A', { TotalPrice: 850, Sequence: 5 }));
        await tick();
        expect(await prices()).toBe('A 850, B 900, C 900, D 900');
      });

      it('takes packages off sale whose link may not be used any more, and keeps the changes', async () => {
        site.setProviders({ providers: [FEWER] });
        await work();
        expect(await prices()).toBe('A 850, C 900, D 900');
        expect(await planned()).toBe('SUNW: fetch its changes, 2026-11-21T09:20:00.000Z');
        full();
        const { out } = await site.run(['run', 'SUNW']);
        expect(out).toContain('the store has later changes than this full feed');
        expect(await prices()).toBe('A 850, C 900, D 900');
      });

      it('keeps packages without a link as long as the provider has a template of links', async () => {
        const templated = { ...HOSTS, linkTemplate: 'https://www.sunward.example/{hotel}' };
        site.setProviders({ providers: [templated] });
        await work();
        changes(item('D', { TotalPrice: 890, DeeplinkUrl: undefined, Sequence: 6 }));
        await tick();
        site.setProviders({ providers: [{ ...templated, name: 'Sunward Holidays' }] });
        await work();
        expect(await prices()).toBe('A 850, B 900, C 900, D 890');
        site.setProviders({ providers: [HOSTS] });
        await work();
        expect(await prices()).toBe('A 850, B 900, C 900');
      });

      it('does so before it imports later changes, however often there were none', async () => {
        site.setProviders({ providers: [{ ...HOSTS, linkHosts: [...HOSTS.linkHosts, 'new.example'] }] });
        await pass(2 * HOUR_MS);
        expect(await prices()).toBe('A 850, B 900, C 900, D 900');
        site.setProviders({ providers: [FEWER] });
        changes(item('C', { TotalPrice: 870, Sequence: 6 }));
        await tick();
        expect(await prices()).toBe('A 850, C 900, D 900');
        await work();
        expect(await prices()).toBe('A 850, C 870, D 900');
      });

      it('takes all off sale after the retries if no link may be used any more, even without a schedule', async () => {
        const unscheduled = { source: FEED.source, changes: CHANGING.changes };
        for (const feed of [HOSTS.feed, unscheduled]) {
          site.setProviders({ providers: [{ ...HOSTS, linkHosts: ['other.example'], feed }] });
          await pass(80 * MINUTE_MS);
          expect(await stored()).toBe(4);
          await pass(2 * MINUTE_MS);
          expect(await stored()).toBe(0);
          site.setProviders({ providers: [HOSTS] });
          await site.run(['run', 'SUNW']);
          await tick();
        }
      });
    });

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
      expect(await prices()).toBe(expected);
      expect(await tick()).toContain('nothing new');
      changes(item('A', { TotalPrice: 999, Sequence: 5 }));
      expect(await tick()).toContain('Changes 5 are already in the store');
      expect(await prices()).toBe(expected);
    });

    it('takes packages off sale if their new price or link is refused, until they can be sold again', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCDEFGHIJKLMNOP');
      await work();
      changes(
        item('A', { TotalPrice: '850,50', Sequence: 5 }),
        item('B', { TotalPrice: 53, Sequence: 5 }),
        item('C', { ValidFrom: new Date(now + 24 * 60 * MINUTE_MS).toISOString(), Sequence: 5 }),
        item('D', { DeeplinkUrl: 'https://elsewhere.example/', Sequence: 5 }),
        item('E', { StarRating: 9, Sequence: 5 }),
        ...[...'FGHIJKLMNOP'].map((one) => item(one, { TotalPrice: 850, Sequence: 5 })),
      );
      const said = await tick();
      expect(said).toContain('4 refused');
      expect(said).toContain('4 removed');
      expect(await prices()).toMatch(/^E 900, F 850, /);
      changes(item('A', { TotalPrice: 870, Sequence: 6 }));
      await tick();
      expect(await prices()).toMatch(/^A 870, E 900, F 850, /);
    });

    describe('whose hotel differs', () => {
      /** The hotel's packages: price, resort, name and half stars. */
      const packages = async (code: string) =>
        (
          await site.ask(`select price / 100, resort.name, hotel.name, offer.half_stars from offer
            join hotel on hotel.id = hotel join resort on resort.id = offer.resort
            where hotel.code = '${code}' order by price`)
        ).map((row) => row.join(' '));
      const BOARDS = ['HB', 'AI', 'FB', 'BB'];
      beforeEach(async () => {
        site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
        const rows = [...'ABCDEFGH'].flatMap((hotel) =>
          BOARDS.map((BoardBasis, nth) => item(hotel, { BoardBasis, TotalPrice: 900 + nth, Sequence: 10 })),
        );
        site.file('feed.ndjson', ndjson(rows));
        await work();
      });

      it('takes packages off sale that are refused because of their hotel, and those that are deleted', async () => {
        changes(
          item('A', { TotalPrice: 850, Sequence: 11 }),
          ...[...'BCDEFGH'].map((one) => item(one, { TotalPrice: 890, Sequence: 11 })),
          item('A', { HotelName: 'Hotel Luna', TotalPrice: 990, Sequence: 12 }),
          item('A', { HolidayResort: 'Albir', BoardBasis: 'AI', TotalPrice: 990, Sequence: 12 }),
          item('A', { HotelName: 'Hotel Luna', BoardBasis: 'FB', Sequence: 12, Deleted: true }),
        );
        const said = await tick();
        expect(said).toContain('11 rows, 2 refused');
        expect(said).toContain('3 removed');
        expect(await packages('A')).toEqual(['903 Benidorm Hotel Sol 8']);
      });

      it('finds deleted packages where the store has their hotel, which they do not describe', async () => {
        const luna = { HotelName: 'Hotel Luna', HolidayResort: 'Albir', StarRating: 5 };
        changes(item('A', { ...luna, Sequence: 11, Deleted: true }));
        await tick();
        const others = ['901', '902', '903'].map((price) => `${price} Benidorm Hotel Sol 8`);
        expect(await packages('A')).toEqual(others);
      });

      it('leaves shared hotels that it does not mention described by its provider', async () => {
        const shared = { ...SUNWARD, hotelCodes: 'shared' };
        const feed = { ...CHANGING, schedule: '0 3 * * *' };
        site.setProviders({
          providers: [
            { ...shared, feed },
            { ...BAYSIDE, hotelCodes: 'shared' },
          ],
        });
        whole(11, 'AB');
        await site.run(['import', 'feed.ndjson', '--provider', 'SUNW', '--accept']);
        changes(item('A', { TotalPrice: 850, Sequence: 12 }));
        await tick();
        const luna = item('B', {
          Brand: 'BAYS',
          HotelName: 'Luna',
          DeeplinkUrl: 'https://www.bays.example/1',
        });
        await site.run(['import', '-', '--provider', 'BAYS', '--accept'], ndjson([luna]));
        const names = await site.ask("select name from hotel where code = 'B' and provider is null");
        expect(names).toEqual([['Hotel Sol']]);
      });

      it('gives all packages of a hotel the stars that the first change states', async () => {
        changes(item('A', { TotalPrice: 850, StarRating: 5, Sequence: 11 }));
        await tick();
        const expected = ['850', '901', '902', '903'].map((price) => `${price} Benidorm Hotel Sol 10`);
        expect(await packages('A')).toEqual(expected);
      });

      it('moves all packages of a hotel to the resort that the changes state, except deleted ones', async () => {
        const albir = { HolidayResort: 'Albir' };
        changes(
          item('A', { BoardBasis: 'AI', Sequence: 11, Deleted: true }),
          item('A', { ...albir, TotalPrice: 700, Sequence: 12 }),
          item('A', { ...albir, BoardBasis: 'FB', Sequence: 12, Deleted: true }),
        );
        await tick();
        expect(await packages('A')).toEqual(['700 Albir Hotel Sol 8', '903 Albir Hotel Sol 8']);
        changes(item('A', { ...albir, BoardBasis: 'BB', Sequence: 13, Deleted: true }));
        await tick();
        expect(await packages('A')).toEqual(['700 Albir Hotel Sol 8']);
      });
    });

    it('applies changes that leave out places and parties, although charges depend on both', async () => {
      await applyCharges(site.address, SMALL_CHARGES);
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      const albir = { HolidayResort: 'Albir', NumberOfAdults: 3, Sequence: 4 };
      site.file('feed.ndjson', ndjson([item('A', { Sequence: 4 }), item('B', albir)]));
      await work();
      changes(item('A', { TotalPrice: 850, Sequence: 5 }));
      expect(await tick()).toContain('1 changed');
      expect(await prices()).toBe('A 850, B 900');
    });

    it('puts quarantined prices of changes on sale once an operator accepts them', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCDEFGH');
      await work();
      changes(item('A', { TotalPrice: 90, Sequence: 5 }), item('B', { TotalPrice: 850, Sequence: 6 }));
      await tick();
      const others = 'C 900, D 900, E 900, F 900, G 900, H 900';
      expect(await prices()).toBe(`B 850, ${others}`);
      expect(await tick()).toContain('nothing new');
      const { exit, out } = await site.run(['accept', 'SUNW']);
      expect(exit, out).toBe(0);
      expect(await prices()).toBe(`A 90, B 850, ${others}`);
      changes(item('C', { TotalPrice: 870, Sequence: 7 }));
      await tick();
      expect(await prices()).toContain('A 90, B 850, C 870');
    });

    it('keeps quarantined prices of a full feed off sale after a rollback, even if it was fetched twice', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCD');
      await work();
      const rows = [
        item('A', { TotalPrice: 90, Sequence: 5 }),
        ...[...'BCD'].map((one) => item(one, { Sequence: 5 })),
      ];
      site.file('feed.ndjson', ndjson(rows));
      await site.run(['run', 'SUNW']);
      changes(item('B', { TotalPrice: 850, Sequence: 6 }));
      await tick();
      site.file('feed.ndjson', ndjson(rows));
      expect((await site.run(['run', 'SUNW'])).out).toContain('the store has later changes');
      whole(7, 'ABCDE');
      await site.run(['run', 'SUNW']);
      expect((await site.run(['rollback', 'SUNW', '--yes'])).out).toMatch(/\(5 packages\) .* \(4 packages\)/);
      expect(await prices()).toBe('B 900, C 900, D 900');
    });

    it('rolls back to a mapped full feed that was fetched again after later changes', async () => {
      const rename = (one: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(one).map(([field, value]) => [`x_${field}`, value]));
      const rows = (Sequence: number, hotels: string) =>
        ndjson([...hotels].map((hotel) => rename(item(hotel, { Sequence }))));
      const fields = Object.fromEntries(
        Object.keys(item('A', { Sequence: 4 }))
          .filter((field) => field !== 'Brand')
          .map((field) => [field, { column: `x_${field}` }]),
      );
      site.file('mapping.json', JSON.stringify({ fields }));
      const mapped = { ...CHANGING, schedule: '0 3 * * *', mapping: 'mapping.json' };
      site.setProviders({ providers: [{ ...SUNWARD, feed: mapped }] });
      site.file('feed.ndjson', rows(4, 'ABCD'));
      await work();
      site.file('changes.ndjson', rows(5, 'E'));
      await tick();
      site.file('feed.ndjson', rows(4, 'ABCD'));
      expect((await site.run(['run', 'SUNW'])).out).toContain('the store has later changes');
      site.file('feed.ndjson', rows(6, 'ABCEF'));
      await site.run(['run', 'SUNW']);
      const { exit, out } = await site.run(['rollback', 'SUNW', '--yes']);
      expect(exit, out).toBe(0);
      expect(await prices()).toBe('A 900, B 900, C 900, D 900');
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
      expect(await prices()).toContain('A 900');
      expect(await prices()).toContain('I 900');
      changes(item('A', { TotalPrice: 860, Sequence: 8 }));
      await tick();
      expect(await prices()).toContain('A 860');
      expect(await outcomes()).toEqual(['imported', 'failed', 'imported', 'imported']);
    });

    describe('in one file', () => {
      const event = (hotel: string, Sequence: number, change: Record<string, unknown> = {}) =>
        item(hotel, { Sequence, ...change });
      const gone = { TotalPrice: undefined, DeeplinkUrl: undefined, Deleted: true };
      beforeEach(async () => {
        site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
        whole(10, 'ABCDEFGHIJ');
        await work();
      });

      it('lets the highest number win, and the last line of equal numbers, with prices and deletions', async () => {
        changes(
          event('A', 12, { TotalPrice: 960 }),
          event('A', 11, { TotalPrice: 810 }),
          event('B', 11, { TotalPrice: 820 }),
          event('B', 12, gone),
          event('C', 11, gone),
          event('C', 13, { TotalPrice: 830 }),
          event('D', 13, { TotalPrice: 840 }),
          event('D', 13, gone),
          event('E', 13, gone),
          event('E', 13, { TotalPrice: 850 }),
          event('F', 9, { TotalPrice: 700 }),
          event('G', 10, gone),
          event('Z', 12),
          event('Z', 13, gone),
        );
        await tick();
        expect(await prices()).toBe('A 960, C 830, E 850, F 900, G 900, H 900, I 900, J 900');
        changes(event('A', 13, { TotalPrice: 700 }), event('A', 14, { TotalPrice: 950 }), event('B', 14));
        await tick();
        expect(await prices()).toBe('A 950, B 900, C 830, E 850, F 900, G 900, H 900, I 900, J 900');
      });

      it('waits for a full feed if a number is missing, with a notice', async () => {
        const conditions = async () =>
          (await conditionsOfStore(site.database(), { now, providers: [], feedLateMs: HOUR_MS }))
            .map(({ key, title }) => `${key}: ${title}`)
            .filter((text) => text.includes('missing'));
        changes(event('A', 11, { TotalPrice: 810 }), event('B', 13, { TotalPrice: 820 }));
        expect(await tick()).toContain('Changes 13 follow 11: those in between are missing');
        expect(await tick()).toContain('so a full feed is needed');
        expect([(await prices()).includes('A 900'), await conditions()]).toEqual([
          true,
          ['feed changes missing SUNW: Changes of SUNW are missing'],
        ]);
        whole(13, 'ABCDEFGH');
        await tick();
        expect([(await prices()).startsWith('A 900, B 900'), await conditions()]).toEqual([true, []]);
        changes(event('A', 14, { TotalPrice: 810 }));
        await tick();
        expect(await prices()).toContain('A 810');
      });

      it('counts the numbers of refused rows, but refuses rows without one', async () => {
        changes(
          ...[...'CDEFGH'].map((hotel) => event(hotel, 11, { TotalPrice: 890 })),
          event('A', 12, { TotalPrice: 1 }),
          item('A', { TotalPrice: 820 }),
          event('B', 13, { TotalPrice: 820 }),
        );
        expect(await tick()).toContain('Sequence is missing');
        expect(await prices()).toMatch(/^B 820/);
        changes(event('A', 14, { TotalPrice: 810 }));
        await tick();
        expect(await prices()).toContain('A 810');
      });
    });

    it('keeps later changes if the source still has the old full feed, or one with a lower number', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 0 * * *' } }] });
      whole(4, 'ABCDEFGH');
      await work();
      changes(item('A', { TotalPrice: 850, Sequence: 5 }));
      await tick();
      later(15 * HOUR_MS);
      await work();
      expect(await prices()).toContain('A 850');
      site.file('feed.ndjson', ndjson([...'ABCDEFG'].map((hotel) => item(hotel, { Sequence: 4 }))));
      expect((await site.run(['run', 'SUNW'])).out).toContain('Sequence 4 is below 5');
      expect(await prices()).toContain('A 850');
      whole(6, 'ABCDEFGH');
      await site.run(['run', 'SUNW']);
      expect(await prices()).toContain('A 900');
    });

    describe('after the packages went off sale', () => {
      const DAILY_CHANGING = { ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } };
      beforeEach(async () => {
        site.setProviders({ providers: [DAILY_CHANGING, BAYSIDE] });
        whole(4, 'ABCD');
        await work();
        changes(item('A', { TotalPrice: 850, Sequence: 5 }));
        await tick();
        expect(await prices()).toBe('A 850, B 900, C 900, D 900');
      });

      it('restores a provider that is listed again with its full feed, then with the changes since', async () => {
        site.setProviders({ providers: [BAYSIDE] });
        await work();
        expect(await prices()).toBe('');
        site.setProviders({ providers: [DAILY_CHANGING, BAYSIDE] });
        await work();
        await work();
        expect(await prices()).toBe('A 850, B 900, C 900, D 900');
      });

      it('fetches the full feed of a provider that is listed again if the stored one is too old', async () => {
        for (const hours of [20, 6]) {
          later(hours * HOUR_MS);
          await work();
          await work();
        }
        expect((await outcomes()).slice(2)).not.toContain('imported');
        site.setProviders({ providers: [BAYSIDE] });
        await work();
        expect(await prices()).toBe('');
        site.setProviders({ providers: [DAILY_CHANGING, BAYSIDE] });
        expect(await planned()).toContain('SUNW: fetch its feed, now');
        await work();
        await work();
        expect(await prices()).toBe('A 850, B 900, C 900, D 900');
        expect(await planned()).toMatch(/SUNW: fetch its changes, \d/);
      });

      it('fetches no changes after a removal until a full feed is imported, even one from before them', async () => {
        await site.run(['remove', 'SUNW', '--yes']);
        changes(item('A', { TotalPrice: 850, Sequence: 5 }), item('B', { TotalPrice: 860, Sequence: 6 }));
        expect(await tick()).toBe('');
        expect([await prices(), await planned()]).toEqual([
          '',
          'SUNW: fetch its feed, 2026-11-22T03:00:00.000Z',
        ]);
        await site.run(['run', 'SUNW']);
        await work();
        expect(await prices()).toBe('A 850, B 860, C 900, D 900');
      });

      it('imports the same full feed when the source is back after maxAge', async () => {
        const missing = { source: 'missing', changes: { ...CHANGING.changes, source: 'missing' } };
        site.setProviders({
          providers: [{ ...DAILY_CHANGING, feed: { ...DAILY_CHANGING.feed, ...missing } }, BAYSIDE],
        });
        later(24 * HOUR_MS);
        for (let nth = 0; nth < 12; nth += 1) {
          later(HOUR_MS);
          await work();
        }
        expect(await prices()).toBe('');
        site.setProviders({ providers: [DAILY_CHANGING, BAYSIDE] });
        expect((await site.run(['run', 'SUNW'])).exit).toBe(0);
        await work();
        expect(await prices()).toBe('A 850, B 900, C 900, D 900');
      });
    });

    it('takes packages off sale after maxAge although only the changes have a schedule', async () => {
      const unscheduled = { source: FEED.source, maxAge: FEED.maxAge, changes: CHANGING.changes };
      site.setProviders({ providers: [{ ...SUNWARD, feed: unscheduled }] });
      whole(4, 'ABCD');
      await site.run(['run', 'SUNW']);
      changes(item('A', { TotalPrice: 850, Sequence: 5 }));
      await tick();
      const missing = { source: 'missing', changes: { ...CHANGING.changes, source: 'missing' } };
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...unscheduled, ...missing } }] });
      later(24 * HOUR_MS - 1);
      await pass(80 * MINUTE_MS);
      expect(await stored()).toBe(4);
      await pass(10 * MINUTE_MS);
      expect([await stored(), (await outcomes()).at(-1)]).toEqual([0, 'withdrawn']);
    });

    it('keeps a held full feed for review while changes are imported', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      const isHeld = async () =>
        (await conditionsOfStore(site.database(), { now, providers: [], feedLateMs: HOUR_MS })).some(
          ({ key }) => key === 'feed held SUNW',
        );
      whole(4, 'ABCDEFGH');
      await work();
      whole(5, 'ABCD');
      expect((await site.run(['run', 'SUNW'])).exit).toBe(3);
      changes(item('A', { TotalPrice: 850, Sequence: 5 }));
      await tick();
      expect([await prices(), await isHeld()]).toEqual([
        'A 850, B 900, C 900, D 900, E 900, F 900, G 900, H 900',
        true,
      ]);
      expect((await site.run(['run', 'SUNW'])).out).toContain('accept or discard it');
      expect((await site.run(['accept', 'SUNW'])).exit).toBe(0);
      expect([await prices(), await isHeld()]).toEqual(['A 900, B 900, C 900, D 900', false]);
    });

    it('forgets held changes once later ones are imported', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCD');
      await work();
      changes(
        { ...item('A', { Sequence: 5 }), Deleted: true },
        { ...item('B', { Sequence: 5 }), Deleted: true },
      );
      await tick();
      changes(item('A', { TotalPrice: 850, Sequence: 5 }));
      await tick();
      expect(await outcomes()).toEqual(['imported', 'held', 'imported']);
      expect((await site.run(['accept', 'SUNW'])).out).toContain('no feed is held');
    });

    it('notifies the operator if full feeds have no Sequence that changes could follow', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      const full = (TotalPrice: number) =>
        site.file('feed.ndjson', ndjson([...'ABCD'].map((one) => item(one, { TotalPrice }))));
      full(900);
      await work();
      full(890);
      changes(item('A', { TotalPrice: 850, Sequence: 5 }));
      expect(await tick()).toContain('no full feed with a Sequence');
      expect(await outcomes()).toEqual(['imported', 'failed', 'imported']);
      const conditions = await conditionsOfStore(site.database(), {
        now,
        providers: [],
        feedLateMs: HOUR_MS,
      });
      expect(conditions.map(({ key }) => key)).toContain('feed changes missing SUNW');
    });

    it('takes a full feed for one, whatever its file is called', async () => {
      site.file('changes from 10 to 12.ndjson', ndjson([...'ABC'].map((hotel) => item(hotel))));
      await site.run(['import', 'changes from 10 to 12.ndjson', '--provider', 'SUNW']);
      site.file('changes from 13.ndjson', ndjson([...'ABD'].map((hotel) => item(hotel))));
      await site.run(['import', 'changes from 13.ndjson', '--provider', 'SUNW']);
      expect(await prices()).toBe('A 900, B 900, D 900');
      expect((await site.run(['rollback', 'SUNW', '--yes'])).exit).toBe(0);
      expect(await prices()).toBe('A 900, B 900, C 900');
    });

    it('holds changes for review, accepts them as changes, and keeps discarded ones away', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCDEFGH');
      await work();
      const removal = (hotel: string, Sequence: number) => ({ ...item(hotel, { Sequence }), Deleted: true });
      changes(removal('A', 5), removal('B', 5), removal('C', 5));
      await tick();
      expect((await site.run(['discard', 'SUNW', '--yes'])).exit).toBe(0);
      expect(await tick()).toContain('which was discarded');
      changes(removal('A', 5), removal('B', 5), removal('C', 5), removal('D', 5));
      await tick();
      expect(await outcomes()).toEqual(['imported', 'discarded', 'discarded', 'held']);
      expect((await site.run(['accept', 'SUNW'])).exit).toBe(0);
      expect(await prices()).toBe('E 900, F 900, G 900, H 900');
      changes(item('I', { Sequence: 6 }));
      await tick();
      expect(await prices()).toBe('E 900, F 900, G 900, H 900, I 900');
    });

    it('fetches the whole feed on its schedule, however often its changes are fetched', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABCDEFGH');
      await work();
      for (let nth = 0; nth < 300; nth += 1) {
        const id = await beginAttempt(site.database(), { provider: 'SUNW', source: 'a file', now });
        await endAttempt(site.database(), id, { outcome: 'failed', detail: { isChanges: true }, now });
      }
      expect(await planned()).toContain('SUNW: fetch its changes');
      expect(await planned()).not.toContain('now');
    });

    it('finds earlier full feeds, however often the changes have been fetched since', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      whole(4, 'ABC');
      await work();
      whole(5, 'ABCD');
      await site.run(['run', 'SUNW']);
      changes(item('A', { TotalPrice: 850, Sequence: 6 }));
      await tick();
      await site.database().exec(`with recursive nth (nth) as
          (select 1 union all select nth + 1 from nth where nth < 1000)
        insert into feed_attempt (provider, started_at, ended_at, source, outcome, message, host, detail)
          select provider, started_at, ended_at, source, 'unchanged', message, host, '{"isChanges":true}'
          from feed_attempt, nth where id = (select max(id) from feed_attempt)`);
      whole(5, 'ABCD');
      expect((await site.run(['run', 'SUNW'])).out).toContain('the store has later changes');
      await site.run(['rollback', 'SUNW', '--yes']);
      expect(await prices()).toBe('A 900, B 900, C 900');
    });

    it('judges only the countries that the changes are about', async () => {
      site.setProviders({ providers: [{ ...SUNWARD, feed: { ...CHANGING, schedule: '0 3 * * *' } }] });
      const greek = { HolidayCountry: 'Greece', HolidayRegion: 'Crete', HolidayResort: 'Malia' };
      const all = Array.from({ length: 240 }, (_, nth) =>
        item(`H${nth}`, { Sequence: 4, TotalPrice: 1_000, ...(nth % 2 === 0 ? greek : {}) }),
      );
      site.file('feed.ndjson', ndjson(all));
      await work();
      changes(item('H1', { TotalPrice: 850, Sequence: 5 }));
      await tick();
      expect(await outcomes()).toEqual(['imported', 'imported']);
    });
  });
});
