import { once } from 'node:events';
import { readdirSync, utimesSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptsOf } from '../../server/feed/attempts/attempt-table.ts';
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
    if (kind !== 'embedded') site.database().exec('drop function if exists failing cascade');
    await site.close();
  });

  const outcomes = () =>
    attemptsOf(site.database(), 'SUNW')
      .map(({ outcome }) => outcome)
      .toReversed();
  const stored = () => Number(site.ask('select count(*) from offer')[0]?.[0]);
  const later = (content: string, hours = 1) => {
    site.file('feed.ndjson', content);
    const at = FEED_NOW / 1_000 + outcomes().length * 3_600 * hours;
    utimesSync(feed, at, at);
    site.setNow(at * 1_000);
  };

  /** Makes the end of an attempt fail. */
  function failWhen(condition: string): void {
    site.database().exec(
      kind === 'embedded'
        ? `create trigger failing before update on feed_attempt when ${condition} begin select raise(abort, 'no'); end`
        : `create function failing() returns trigger language plpgsql as $$ begin
            if ${condition} then raise exception 'no'; end if; return new; end $$;
          create trigger failing before update on feed_attempt for each row execute function failing()`,
    );
  }

  it('are kept with their counts, refusals and largest price moves', async () => {
    expect((await site.run(['run', 'SUNW'])).exit).toBe(0);
    later(
      ndjson([
        ...Array.from({ length: 19 }, (_, index) =>
          feedItem({ HotelIdentifierCode: `H${index}`, TotalPrice: index === 0 ? 1_500 : 900 }),
        ),
        feedItem({ TotalPrice: 1 }),
      ]),
    );
    expect((await site.run(['run', '--all'])).exit).toBe(0);
    expect(outcomes()).toEqual(['imported', 'imported']);
    const { out } = await site.run(['show', 'SUNW']);
    expect(out).toContain('20 rows, 1 refused');
    expect(out).toContain('0 new, 1 changed, 1 removed');
    expect(out).toContain('1 x TotalPrice is not a plausible price for the party');
    expect(out).toContain('Hotel Sol, LGW, 2027-06-12, 7 nights: £900.00 to £1500.00');
  });

  it('include a held feed, which is accepted as it was, whatever the source has by then', async () => {
    await site.run(['run', 'SUNW']);
    later(items(10));
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, out]).toEqual([3, expect.stringContaining('50% fewer packages: 10, was 20')]);
    expect((await site.run(['status'])).out).toContain('held, from');
    later(items(1));
    expect(await site.run(['accept', 'SUNW'])).toMatchObject({ exit: 0 });
    expect(stored()).toBe(10);
    expect(outcomes()).toEqual(['imported', 'held', 'imported']);
    expect(await site.run(['accept', 'SUNW'])).toEqual({ exit: 2, out: 'SUNW: no feed is held.' });
  });

  it('never import a discarded feed', async () => {
    await site.run(['run', 'SUNW']);
    later(items(10));
    await site.run(['run', 'SUNW']);
    expect((await site.run(['discard', 'SUNW'])).exit).toBe(0);
    expect((await site.run(['run', 'SUNW'])).out).toContain('the source still has the feed of');
    expect(stored()).toBe(20);
    expect(outcomes()).toEqual(['imported', 'discarded', 'discarded']);
  });

  it('roll back to the previous good feed, and ask first', async () => {
    await site.run(['run', 'SUNW']);
    later(items(18, 1_000));
    await site.run(['run', 'SUNW']);
    const said =
      'SUNW goes back from the feed of 2026-11-21T10:00:00.000Z (18 packages) to that of 2026-11-21T09:00:00.000Z (20 packages).';
    expect(await site.run(['rollback', 'SUNW'], 'no\n')).toEqual({
      exit: 2,
      out: expect.stringContaining(said),
    });
    expect(stored()).toBe(18);
    expect((await site.run(['rollback', 'SUNW'], 'yes\n')).exit).toBe(0);
    expect(site.ask('select count(*), max(price) from offer')).toEqual([[20, 90_000]]);
    expect(outcomes()).toEqual(['imported', 'rolled back', 'imported']);
    // The source still has the feed that was rolled back.
    await site.run(['run', 'SUNW']);
    expect(stored()).toBe(20);
  });

  it('mark what was rolled back in the transaction that does it', async () => {
    await site.run(['run', 'SUNW']);
    later(items(18, 1_000));
    await site.run(['run', 'SUNW']);
    const isMarked = "(select count(*) from feed_attempt where outcome = 'rolled back') > 0";
    failWhen(`new.outcome = 'imported' and ${isMarked}`);
    expect((await site.run(['rollback', 'SUNW', '--yes'])).exit).toBe(1);
    expect([stored(), outcomes()]).toEqual([18, ['imported', 'imported', 'failed']]);
  });

  it('are imported although the work after the commit fails', async () => {
    if (kind !== 'embedded') return;
    const database = site.database();
    database.exec(`create trigger queued after update on feed_attempt when new.outcome = 'imported' begin
      insert into alert_price_batch (moment) values (null); end`);
    database.exec(`create trigger stuck before delete on alert_price_batch begin
      select raise(abort, 'a fault after the commit'); end`);
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, stored(), outcomes()]).toEqual([0, 20, ['imported']]);
    expect(out).toContain('a fault after the commit');
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
    expect(outcomes()).toEqual(['imported', 'held', 'skipped']);
    block({ fewerPackages: 60 });
    expect((await site.run(['run', 'SUNW'])).exit).toBe(0);
    expect(stored()).toBe(10);
  });

  it('remove nothing until an operator confirms it', async () => {
    await site.run(['run', 'SUNW']);
    const asked = await site.run(['remove', 'SUNW']);
    expect(asked).toEqual({
      exit: 2,
      out: expect.stringContaining('This removes the 20 packages of SUNW, but not their price history.'),
    });
    expect(stored()).toBe(20);
    expect((await site.run(['remove', 'SUNW', '--yes'])).exit).toBe(0);
    expect(outcomes()).toEqual(['imported', 'removed']);
  });

  it('end a removal in the transaction that does it', async () => {
    await site.run(['run', 'SUNW']);
    failWhen("new.outcome = 'removed'");
    expect((await site.run(['remove', 'SUNW', '--yes'])).exit).toBe(1);
    expect([stored(), outcomes()]).toEqual([20, ['imported', 'failed']]);
  });

  it('quarantine a package whose price moved more than threefold, until the next feed repeats it', async () => {
    await site.run(['run', 'SUNW']);
    const wrong = items(20).replace('"TotalPrice":900', '"TotalPrice":90');
    later(wrong);
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, out]).toEqual([0, expect.stringContaining('TotalPrice moved more than threefold')]);
    expect([stored(), Number(site.ask('select min(price) from offer')[0]?.[0])]).toEqual([19, 90_000]);
    expect((await site.run(['show', 'SUNW'])).out).toMatch(/\n {2}quarantined: .*900.* .*90/);
    later(`${wrong}\n`);
    await site.run(['run', 'SUNW']);
    expect([stored(), Number(site.ask('select min(price) from offer')[0]?.[0])]).toEqual([20, 9_000]);
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
    later(mixed(21));
    const { exit, out } = await site.run(['run', 'SUNW']);
    expect([exit, out]).toEqual([
      3,
      expect.stringContaining('35% of prices moved by more than 30%: 21 of 60'),
    ]);
    expect(site.ask('select count(*), min(price) from offer')).toEqual([[60, 90_000]]);
  });

  it('do not fetch again what the source still has, but see its packages on each new day', async () => {
    await site.run(['run', 'SUNW']);
    const seenAt = () => site.ask('select max(seen_at) from offer');
    const first = seenAt();
    site.setNow(FEED_NOW + HOUR_MS);
    expect((await site.run(['run', 'SUNW'])).out).toContain('the source has nothing new');
    expect(seenAt()).toEqual(first);
    site.setNow(FEED_NOW + 24 * HOUR_MS);
    await site.run(['run', 'SUNW']);
    expect(seenAt()).not.toEqual(first);
  });
});

describe('checking a provider’s feed', () => {
  it('shows ten mapped rows, exits with 3 if the feed would be held, and leaves nothing behind', async () => {
    const site = await makeFeedSite('embedded', withFeed({ source: 'feed.ndjson' }));
    site.file('feed.ndjson', items(20));
    const before = readdirSync(site.folder);
    const { exit, out } = await site.run(['check', 'SUNW']);
    expect(exit).toBe(0);
    expect(out.match(/LGW, 2027-06-12, 7 nights, Hotel Sol, Benidorm, HB, 2 adults: £900\.00/g)).toHaveLength(
      10,
    );
    expect(readdirSync(site.folder)).toEqual(before);
    await site.run(['run', 'SUNW']);
    site.file('feed.ndjson', items(10));
    expect((await site.run(['check', 'SUNW'])).exit).toBe(3);
    expect(attemptsOf(site.database(), 'SUNW')).toHaveLength(1);
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
    expect(site.offers()).toHaveLength(3);
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
    const attempts = JSON.stringify(attemptsOf(site.database(), 'SUNW'));
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
    expect([site.offers().length, asked]).toEqual([3, [undefined, undefined]]);
  });

  it('may be the newest file that matches a pattern', async () => {
    site.file('a-2.ndjson', items(2));
    utimesSync(site.file('a-1.ndjson', items(1)), 1_000, 1_000);
    expect((await run({ source: 'a-*.ndjson' })).exit).toBe(0);
    expect(site.offers()).toHaveLength(2);
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
    expect(site.offers()).toHaveLength(7);
    expect((await run({ source: url })).exit).toBe(0);
    expect(site.offers()).toHaveLength(5);
  });
});
