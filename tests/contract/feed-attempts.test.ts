import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageLookup, resortKey } from '../../server/alerts/tables/package-lookup.ts';
import { conditionsOfStore } from '../../server/conditions/store-conditions.ts';
import { attemptsOf } from '../../server/feed/attempts/attempt-table.ts';
import { OFFER } from '../../server/inventory/offer-columns.ts';
import { FEED_NOW, type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const HOUR_MS = 3_600_000;

/** A provider with a feed block. */
const withFeed = (feed: unknown) => ({
  providers: [{ code: 'SUNW', name: 'Sunward', linkHosts: ['www.sunward.example'], feed }],
});

const items = (count: number, TotalPrice = 900) =>
  ndjson(
    Array.from({ length: count }, (_, index) => feedItem({ HotelIdentifierCode: `H${index}`, TotalPrice })),
  );

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** Starts a provider's server on loopback. */
async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(STORE_KINDS)('the attempts of a provider in the %s store', (kind) => {
  let site: FeedSite;
  let feed: string;
  beforeEach(async () => {
    site = await makeFeedSite(kind, withFeed({ source: 'feed.ndjson' }));
    feed = site.file('feed.ndjson', items(20));
  });
  afterEach(async () => {
    if (kind !== 'embedded') await site.database().exec('drop function if exists failing cascade');
    await site.close();
  });

  const outcomes = async () =>
    (await attemptsOf(site.database(), 'SUNW')).map(({ outcome }) => outcome).toReversed();
  const stored = async () => Number((await site.ask('select count(*) from offer'))[0]?.[0]);
  const later = async (content: string, hours = 1) => {
    site.file('feed.ndjson', content);
    const at = FEED_NOW / 1_000 + (await outcomes()).length * 3_600 * hours;
    utimesSync(feed, at, at);
    site.setNow(at * 1_000);
  };

  /** Makes the end of an attempt fail. */
  async function failWhen(condition: string): Promise<void> {
    await site.database().exec(
      kind === 'embedded'
        ? `create trigger failing before update on feed_attempt when ${condition} begin select raise(abort, 'no'); end`
        : `create function failing() returns trigger language plpgsql as $$ begin
            if ${condition} then raise exception 'no'; end if; return new; end $$;
          create trigger failing before update on feed_attempt for each row execute function failing()`,
    );
  }

  it('are kept with their counts, refusals and largest price moves', async () => {
    expect((await site.run(['run', 'SUNW'])).exit).toBe(0);
    await later(
      ndjson([
        ...Array.from({ length: 19 }, (_, index) =>
          feedItem({ HotelIdentifierCode: `H${index}`, TotalPrice: index === 0 ? 1_500 : 900 }),
        ),
        feedItem({ TotalPrice: 1 }),
      ]),
    );
    expect((await site.run(['run', '--all'])).exit).toBe(0);
    expect(await outcomes()).toEqual(['imported', 'imported']);
    const { out } = await site.run(['show', 'SUNW']);
    expect(out).toContain('20 rows, 1 refused');
    expect(out).toContain('0 new, 1 changed, 1 removed');
    expect(out).toContain('1 x TotalPrice is not a plausible price for the party');
    expect(out).toContain('Hotel Sol, LGW, 2027-06-12, 7 nights: £900.00 to £1500.00');
  });

  it('include a held feed, which is accepted as it was, whatever the source has by then', async () => {
    await site.run(['run', 'SUNW']);
    await later(items(10));
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, out]).toEqual([3, expect.stringContaining('50% fewer packages: 10, was 20')]);
    expect((await site.run(['status'])).out).toContain('held, from');
    await later(items(1));
    expect(await site.run(['accept', 'SUNW'])).toMatchObject({ exit: 0 });
    expect(await stored()).toBe(10);
    expect(await outcomes()).toEqual(['imported', 'held', 'imported']);
    expect(await site.run(['accept', 'SUNW'])).toEqual({ exit: 2, out: 'SUNW: no feed is held.' });
  });

  it('never import a discarded feed', async () => {
    await site.run(['run', 'SUNW']);
    await later(items(10));
    await site.run(['run', 'SUNW']);
    expect(await site.run(['discard', 'SUNW'])).toEqual({
      exit: 2,
      out: expect.stringMatching(
        /^This deletes the feed of SUNW held at \S+\. Not done: add --yes to confirm\.$/,
      ),
    });
    expect((await site.run(['discard', 'SUNW', '--yes'])).exit).toBe(0);
    expect((await site.run(['run', 'SUNW'])).out).toContain('the source still has the feed of');
    expect(await stored()).toBe(20);
    expect(await outcomes()).toEqual(['imported', 'discarded', 'discarded']);
  });

  it('roll back to the previous good feed, and ask first', async () => {
    await site.run(['run', 'SUNW']);
    await later(items(18, 1_000));
    await site.run(['run', 'SUNW']);
    const said =
      'SUNW goes back from the feed of 2026-11-21T10:00:00.000Z (18 packages) to that of 2026-11-21T09:00:00.000Z (20 packages).';
    expect(await site.run(['rollback', 'SUNW'], 'no\n')).toEqual({
      exit: 2,
      out: expect.stringContaining(said),
    });
    expect(await stored()).toBe(18);
    expect(
      (await site.run(['rollback', 'SUNW'], Object.assign(Readable.from(['yes\n']), { isTTY: true }))).exit,
    ).toBe(0);
    expect(await site.ask('select count(*), max(price) from offer')).toEqual([[20, 90_000]]);
    expect(await outcomes()).toEqual(['imported', 'rolled back', 'imported']);
    // Nothing was seen now: neither what the later feed had at other prices, nor what it did not have.
    expect(await site.ask('select distinct price_since from offer')).toEqual([[-1]]);
    // The source still has the feed that was rolled back.
    await site.run(['run', 'SUNW']);
    expect(await stored()).toBe(20);
  });

  it('roll back twice, although the bad feed was fetched twice', async () => {
    for (const price of [900, 910, 700, 700]) {
      await later(items(20, price));
      await site.run(['run', 'SUNW']);
    }
    expect((await outcomes()).at(-1)).toBe('unchanged');
    for (const price of [910, 900]) {
      await site.run(['rollback', 'SUNW', '--yes']);
      expect(await site.ask('select distinct price / 100 from offer')).toEqual([[price]]);
    }
  });

  it('mark what was rolled back in the transaction that does it', async () => {
    await site.run(['run', 'SUNW']);
    await later(items(18, 1_000));
    await site.run(['run', 'SUNW']);
    const isMarked = "(select count(*) from feed_attempt where outcome = 'rolled back') > 0";
    await failWhen(`new.outcome = 'imported' and ${isMarked}`);
    expect((await site.run(['rollback', 'SUNW', '--yes'])).exit).toBe(1);
    expect([await stored(), await outcomes()]).toEqual([18, ['imported', 'imported', 'failed']]);
  });

  it('are imported although the work after the commit fails', async () => {
    if (kind !== 'embedded') return;
    const database = site.database();
    await database.exec(`create trigger queued after update on feed_attempt when new.outcome = 'imported' begin
      insert into alert_price_batch (moment) values (null); end`);
    await database.exec(`create trigger stuck before delete on alert_price_batch begin
      select raise(abort, 'a fault after the commit'); end`);
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, await stored(), await outcomes()]).toEqual([0, 20, ['imported']]);
    expect(out).toContain('a fault after the commit');
  });

  it('hold the latest feed only, so that nothing is held once it is discarded', async () => {
    await site.run(['run', 'SUNW']);
    for (const count of [10, 9]) {
      await later(items(count));
      expect((await site.run(['run', 'SUNW'])).exit).toBe(3);
    }
    expect((await site.run(['discard', 'SUNW', '--yes'])).exit).toBe(0);
    expect(await outcomes()).toEqual(['imported', 'skipped', 'discarded']);
    expect(await site.run(['accept', 'SUNW'])).toEqual({ exit: 2, out: 'SUNW: no feed is held.' });
  });

  it('skip a held feed while the source has the same, until the guardrails change', async () => {
    let sent = 0;
    const url = await serve(({ headers }, reply) => {
      if (headers['if-none-match'] === '"ten"') return void reply.writeHead(304).end();
      sent += 1;
      reply.writeHead(200, { etag: sent === 1 ? '"twenty"' : '"ten"' }).end(items(sent === 1 ? 20 : 10));
    });
    const block = (guardrails: unknown) => site.setProviders(withFeed({ source: url, guardrails }));
    block({});
    await site.run(['run', 'SUNW']);
    expect((await site.run(['run', 'SUNW'])).exit).toBe(3);
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, out, sent]).toEqual([0, expect.stringContaining('the source still has the held feed'), 2]);
    expect(await outcomes()).toEqual(['imported', 'held', 'skipped']);
    block({ fewerPackages: 60 });
    expect((await site.run(['run', 'SUNW'])).exit).toBe(0);
    expect(await stored()).toBe(10);
  });

  it('remove nothing until an operator confirms it', async () => {
    await site.run(['run', 'SUNW']);
    const asked = await site.run(['remove', 'SUNW']);
    expect(asked).toEqual({
      exit: 2,
      out: expect.stringContaining('This removes the 20 packages of SUNW, but not their price history.'),
    });
    expect(await stored()).toBe(20);
    expect((await site.run(['remove', 'SUNW', '--yes'])).exit).toBe(0);
    expect(await outcomes()).toEqual(['imported', 'removed']);
  });

  it('end a removal in the transaction that does it', async () => {
    await site.run(['run', 'SUNW']);
    await failWhen("new.outcome = 'removed'");
    expect((await site.run(['remove', 'SUNW', '--yes'])).exit).toBe(1);
    expect([await stored(), await outcomes()]).toEqual([20, ['imported', 'failed']]);
  });

  describe('quarantine a package whose price moved more than threefold', () => {
    const repriced = (price: number | null, changed = 20) =>
      ndjson(
        Array.from({ length: 20 }, (_, nth) =>
          feedItem({
            HotelIdentifierCode: `H${nth}`,
            TotalPrice: nth === 0 ? price : 900 + (nth === 19 ? changed : 0),
          }),
        ).filter(({ TotalPrice }) => TotalPrice !== null),
      );
    /** Adds an active watch of the first package. */
    async function watchCheapest(): Promise<void> {
      const { sql } = site.database();
      const packages = packageLookup(site.database());
      const [offer] = await site.offers();
      if (offer === undefined) throw new Error('There is no package');
      const one = await packages.read(offer);
      await sql.run`insert into alert_contact (contact_key, contact_sealed, created_at) values ('somebody', ${new Uint8Array()}, 0)`;
      await sql.run`insert into alert_watch (contact, number, item_key, resort, nights, party, departure_day, airport, board,
          half_stars, departs_at, state, started, created_at)
        select id, 1, ${one.itemKey}, ${resortKey(one)}, ${one.nights}, ${one.party}, ${offer[OFFER.departureDay]},
          ${one.airport}, ${one.board}, ${one.halfStars}, ${one.departsAt}, 'active', 0, 0 from alert_contact`;
    }
    const cheapest = async () => [
      await stored(),
      Number((await site.ask('select min(price) from offer'))[0]?.[0]) / 100,
    ];
    const run = async (content: string, hours: number) => {
      await later(content, hours);
      return site.run(['run', 'SUNW']);
    };
    beforeEach(async () => {
      await site.run(['run', 'SUNW']);
    });

    it('and say so', async () => {
      const { exit, out } = await run(repriced(90), 1);
      expect([exit, out]).toEqual([0, expect.stringContaining('TotalPrice moved more than threefold')]);
      expect(await cheapest()).toEqual([19, 900]);
      expect((await site.run(['show', 'SUNW'])).out).toMatch(/\n {2}quarantined: .*900.* .*90/);
    });

    it('whatever the same file or day says again', async () => {
      await run(repriced(90), 1);
      await site.run(['run', 'SUNW']);
      await run(repriced(90), 24);
      expect(await cheapest()).toEqual([19, 900]);
      expect((await site.run(['import', 'feed.ndjson', '--provider', 'SUNW'])).exit).toBe(0);
      site.setProviders({
        providers: [
          { ...withFeed({ source: 'feed.ndjson', schedule: '0 3 * * *' }).providers[0], name: 'Sun' },
        ],
      });
      expect((await site.run(['run', 'SUNW', '--if-due'])).exit).toBe(0);
      expect(await site.ask("select name from provider where code = 'SUNW'")).toEqual([['Sun']]);
      expect(await cheapest()).toEqual([19, 900]);
      expect((await site.run(['show', 'SUNW'])).out).toMatch(
        /1 quarantined\n.*\n {2}quarantined: .*900.* .*90/,
      );
    });

    it('until feeds of two days agree, even if others between them do not have the package', async () => {
      await run(repriced(90), 1);
      await run(repriced(90, 30), 1);
      expect(await cheapest()).toEqual([19, 900]);
      await run(repriced(null), 12);
      expect(await cheapest()).toEqual([19, 900]);
      await run(repriced(92), 24);
      expect(await cheapest()).toEqual([20, 92]);
    });

    it('while feeds of different days disagree', async () => {
      await run(repriced(90), 1);
      await run(repriced(9_000), 24);
      expect(await cheapest()).toEqual([19, 900]);
      await run(repriced(9_000, 30), 24);
      expect(await cheapest()).toEqual([20, 900]);
    });

    it('until an operator accepts the price', async () => {
      await run(repriced(90), 1);
      expect((await site.run(['accept', 'SUNW'])).exit).toBe(0);
      expect(await cheapest()).toEqual([20, 90]);
      expect(await site.run(['accept', 'SUNW'])).toEqual({ exit: 2, out: 'SUNW: no feed is held.' });
      await run(repriced(91), 1);
      expect(await cheapest()).toEqual([20, 91]);
    });

    it('and send no alert about a released price, but about its next drop', async () => {
      await watchCheapest();
      const queued = async () =>
        Number((await site.ask("select count(*) from alert_message where kind = 'drop'"))[0]?.[0]);
      await run(repriced(870), 1);
      await run(repriced(90), 1);
      await run(repriced(90, 30), 24);
      expect([await cheapest(), await queued()]).toEqual([[20, 90], 0]);
      await run(repriced(89), 1);
      expect([await cheapest(), await queued()]).toEqual([[20, 89], 0]);
      await run(repriced(70), 1);
      expect([await cheapest(), await queued()]).toEqual([[20, 70], 1]);
    });

    it('until its price is plausible again', async () => {
      await run(repriced(90), 1);
      await run(repriced(880), 1);
      expect(await cheapest()).toEqual([20, 880]);
      await run(repriced(90, 30), 24);
      expect(await cheapest()).toEqual([19, 900]);
    });

    it('even if a rollback or a withdrawal comes in between', async () => {
      await run(repriced(90), 1);
      await run(repriced(890), 1);
      await site.run(['rollback', 'SUNW', '--yes']);
      expect(await cheapest()).toEqual([19, 900]);
      site.setProviders({ providers: [] });
      await site.run(['run', 'SUNW', '--if-due']);
      site.setProviders(withFeed({ source: 'feed.ndjson', schedule: '0 3 * * *' }));
      await run(repriced(90), 1);
      expect(await cheapest()).toEqual([19, 900]);
    });
  });

  it('roll back from accepted prices, however far they moved', async () => {
    await site.run(['run', 'SUNW']);
    await later(items(20, 90));
    await site.run(['run', 'SUNW']);
    await site.run(['accept', 'SUNW']);
    expect(await site.ask('select count(*), min(price) from offer')).toEqual([[20, 9_000]]);
    await site.run(['rollback', 'SUNW', '--yes']);
    expect(await site.ask('select count(*), min(price) from offer')).toEqual([[20, 90_000]]);
  });

  it('hold a feed in which a third of the prices fell to a tenth', async () => {
    const mixed = (wrong: number) =>
      ndjson(
        Array.from({ length: 60 }, (_, index) =>
          feedItem({ HotelIdentifierCode: `H${index}`, TotalPrice: index < wrong ? 90 : 900 }),
        ),
      );
    site.file('feed.ndjson', mixed(0));
    await site.run(['run', 'SUNW']);
    await later(mixed(21));
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, out]).toEqual([
      3,
      expect.stringContaining('35% of prices moved by more than 30%: 21 of 60'),
    ]);
    expect(await site.ask('select count(*), min(price) from offer')).toEqual([[60, 90_000]]);
  });

  it('do not fetch again what the source still has', async () => {
    await site.run(['run', 'SUNW']);
    site.setNow(FEED_NOW + HOUR_MS);
    expect((await site.run(['run', 'SUNW'])).out).toContain('the source has nothing new');
  });

  describe('see prices when the file was made', () => {
    const seen = async () =>
      (await site.ask('select distinct seen_at from offer order by 1')).map(
        ([minute]) => (Number(minute) * 60_000 - FEED_NOW) / HOUR_MS,
      );
    const touch = (hours: number) =>
      utimesSync(feed, FEED_NOW / 1_000 + hours * 3_600, FEED_NOW / 1_000 + hours * 3_600);
    const run = (hours: number) => {
      site.setNow(FEED_NOW + hours * HOUR_MS);
      return site.run(['run', 'SUNW']);
    };
    const noted = async () => [await seen(), await site.ask('select count(*) from price_observation')];

    it('which is not later, however often the same file is sent, as a notice says after maxAge', async () => {
      const notices = async () =>
        (
          await conditionsOfStore(site.database(), {
            now: FEED_NOW + 72 * HOUR_MS,
            providers: [],
            feedLateMs: 72 * HOUR_MS,
          })
        ).map(({ title }) => title);
      site.setProviders(withFeed({ source: 'feed.ndjson', maxAge: 100 }));
      touch(-30);
      await run(0);
      expect(await seen()).toEqual([-30]);
      for (const hours of [24, 48, 96]) {
        touch(hours - 1);
        await run(hours);
      }
      expect(await noted()).toEqual([[-30], [[0]]]);
      expect(await notices()).toEqual(['SUNW has sent the same file since 2026-11-20 03:00 UTC']);
      await later(`${items(20)}\n`, 24);
      await site.run(['run', 'SUNW']);
      expect([await seen(), await notices()]).toEqual([[96], []]);
    });

    it('and not in the future or in another age', async () => {
      touch(1_000_000);
      await run(0);
      expect(await seen()).toEqual([0]);
      site.file('feed.ndjson', items(20, 910));
      touch(-1_000_000);
      await run(24);
      expect(await seen()).toEqual([24]);
    });

    it('and as it was before, after a rollback', async () => {
      touch(-2);
      await run(0);
      site.file('feed.ndjson', items(21));
      touch(20);
      await run(22);
      expect(await seen()).toEqual([20]);
      await site.run(['rollback', 'SUNW', '--yes']);
      expect(await noted()).toEqual([[-2], [[1]]]);
    });

    it('without losing since when a price was seen, after a rollback to the file that began it', async () => {
      touch(-2);
      await run(0);
      site.file('feed.ndjson', items(21));
      touch(20);
      await run(22);
      await site.run(['rollback', 'SUNW', '--yes']);
      const [since] = await site.database().prepare('select distinct price_since from offer').rows();
      expect(since).toEqual([Math.floor((FEED_NOW - 2 * HOUR_MS) / 60_000)]);
    });

    it('whether it is a named file, standard input or packed again', async () => {
      touch(-3);
      await site.run(['import', 'feed.ndjson', '--provider', 'SUNW']);
      expect(await seen()).toEqual([-3]);
      const packed = (hours: number) => {
        site.setNow(FEED_NOW + hours * HOUR_MS);
        const gzip = gzipSync(items(20, 905));
        gzip.writeUInt32LE(hours, 4);
        return site.run(['import', '-', '--provider', 'SUNW'], gzip);
      };
      await packed(24);
      await packed(72);
      expect(await seen()).toEqual([24]);
    });
  });
});

describe('checking a provider’s feed', () => {
  it('shows what is in it, exits with 3 if the feed would be held, and leaves nothing behind', async () => {
    const site = await makeFeedSite('embedded', withFeed({ source: 'feed.ndjson' }));
    site.file('feed.ndjson', items(20));
    const before = readdirSync(site.folder);
    const { exit, out } = await site.run(['check', 'SUNW']);
    expect(exit).toBe(0);
    expect(out).toMatch(
      /Hotel Sol, .* stars, Benidorm, Spain: LGW on 2027-06-12, 7 nights, HB, 2 adults: £900\.00/,
    );
    expect(readdirSync(site.folder)).toEqual(before);
    await site.run(['run', 'SUNW']);
    site.file('feed.ndjson', items(10));
    expect((await site.run(['check', 'SUNW'])).exit).toBe(3);
    expect(await attemptsOf(site.database(), 'SUNW')).toHaveLength(1);
    await site.close();
  });
});

describe('a feed’s source', () => {
  let site: FeedSite;
  beforeEach(async () => {
    site = await makeFeedSite();
  });
  afterEach(() => site.close());

  const run = (feed: unknown) => {
    site.setProviders(withFeed(feed));
    return site.run(['run', 'SUNW']);
  };

  it('may be http on this machine with headers and a token, asked only for what is new', async () => {
    const asked: unknown[] = [];
    const url = await serve(({ headers, url: path }, reply) => {
      asked.push([path, headers.authorization, headers['x-client'], headers['if-none-match']]);
      if (headers['if-none-match'] === '"one"') reply.writeHead(304).end();
      else reply.writeHead(200, { etag: '"one"' }).end(items(3));
    });
    site.file('token', 'secret\n');
    const feed = {
      source: { url: `${url}/all?x=1`, headers: { 'x-client': 'skylark' } },
      credentials: { tokenFile: 'token' },
    };
    expect((await run(feed)).exit).toBe(0);
    expect((await run(feed)).out).toContain('the source has nothing new');
    expect(asked).toEqual([
      ['/all?x=1', 'Bearer secret', 'skylark', undefined],
      ['/all?x=1', 'Bearer secret', 'skylark', '"one"'],
    ]);
    expect(await site.offers()).toHaveLength(3);
  });

  it('sends basic credentials, and names a refusal without them', async () => {
    const url = await serve(({ headers }, reply) => {
      const isRight = headers.authorization === `Basic ${Buffer.from('us:word').toString('base64')}`;
      reply.writeHead(isRight ? 200 : 401).end(items(1));
    });
    site.file('password', 'word');
    const source = `${url}/feed?key=hidden`;
    const { exit, out } = await run({ source });
    expect([exit, out]).toEqual([1, expect.stringMatching(/^127\.0\.0\.1 responded with status 401/)]);
    const { exit: right } = await run({ source, credentials: { user: 'us', passwordFile: 'password' } });
    expect(right).toBe(0);
    const attempts = JSON.stringify(await attemptsOf(site.database(), 'SUNW'));
    expect(attempts).not.toMatch(/hidden|word/);
  });

  it('may be an S3-compatible service, with a signed request', async () => {
    const asked: string[] = [];
    const endpoint = await serve(({ headers, url }, reply) => {
      asked.push(`${url} ${headers.authorization?.split('/')[0]}`);
      reply.end(items(2));
    });
    site.file('secret', 'a secret key');
    const source = { url: 's3://bucket/feeds/all.ndjson', endpoint, region: 'eu-west-1' };
    expect((await run({ source, credentials: { user: 'AKID', passwordFile: 'secret' } })).exit).toBe(0);
    expect(asked).toEqual(['/bucket/feeds/all.ndjson AWS4-HMAC-SHA256 Credential=AKID']);
  });

  it('may change from files to https', async () => {
    site.file('feed.ndjson', items(2));
    expect((await run({ source: 'feed.ndjson' })).exit).toBe(0);
    const asked: unknown[] = [];
    const url = await serve(({ headers }, reply) => {
      asked.push(headers['if-none-match']);
      reply.writeHead(200, { etag: '"one"' }).end(items(3));
    });
    expect((await run({ source: url })).exit).toBe(0);
    expect((await run({ source: `${url}/other` })).exit).toBe(0);
    expect([(await site.offers()).length, asked]).toEqual([3, [undefined, undefined]]);
  });

  it('tells when it was made, and need not change for a date in the future', async () => {
    const dates = [
      'Fri, 20 Nov 2026 09:00:00 GMT',
      'Sun, 01 Feb 2099 08:00:00 GMT',
      'Sat, 21 Nov 2026 10:00:00 GMT',
    ];
    const url = await serve((_request, reply) =>
      reply.writeHead(200, { 'last-modified': dates.shift() ?? '' }).end(items(5 + dates.length)),
    );
    const hours: number[] = [];
    for (const hour of [0, 1, 2]) {
      site.setNow(FEED_NOW + hour * HOUR_MS);
      expect((await run({ source: url, guardrails: { fewerPackages: 90 } })).exit).toBe(0);
      const [[minute] = []] = await site.ask('select max(seen_at) from offer');
      hours.push((Number(minute) * 60_000 - FEED_NOW) / HOUR_MS);
    }
    expect(hours).toEqual([-24, 1, 1]);
  });

  it('may be the newest file that matches a pattern', async () => {
    site.file('a-2.ndjson', items(2));
    utimesSync(site.file('a-1.ndjson', items(1)), 1_000, 1_000);
    expect((await run({ source: 'a-*.ndjson' })).exit).toBe(0);
    expect(await site.offers()).toHaveLength(2);
    expect((await run({ source: 'b-*.ndjson' })).out).toContain('There is no file');
  });

  it('is refused while it has an older file than the one that was imported', async () => {
    const dates = [
      'Sat, 21 Nov 2026 08:00:00 GMT',
      'Fri, 20 Nov 2026 08:00:00 GMT',
      'Sat, 21 Nov 2026 09:00:00 GMT',
    ];
    const url = await serve((_request, reply) =>
      reply.writeHead(200, { 'last-modified': dates.shift() ?? '' }).end(items(5 + dates.length)),
    );
    expect((await run({ source: url })).exit).toBe(0);
    expect(await run({ source: url })).toEqual({
      exit: 1,
      out: expect.stringContaining('older than that of 2026-11-21T08:00:00.000Z, which was imported'),
    });
    expect(await site.offers()).toHaveLength(7);
    expect((await run({ source: url })).exit).toBe(0);
    expect(await site.offers()).toHaveLength(5);
  });
});
