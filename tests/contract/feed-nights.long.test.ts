import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attemptsOf } from '../../server/feed/attempts/attempt-table.ts';
import { type FeedSite, feedItem, makeFeedSite, ndjson } from '../fixtures/feed-site.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const COMMAND = join(import.meta.dirname, '../../server/cli/feed.ts');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NIGHTS = 3;

/** Two o'clock in the first night. The feeds of night 0 are imported an hour earlier. */
const START = Date.UTC(2026, 10, 21, 2);

const PACKAGES = 40;
const MANY_PACKAGES = 3_000;

const CODES = ['LATE', 'CUTS', 'WRNG', 'HUGE', 'ORDR'] as const;
type Code = (typeof CODES)[number];

/** A small file that unzips to one line of 80 MiB. */
const BOMB = gzipSync(Buffer.alloc(80 * 1024 ** 2, '{'));

const nightOf = (now: number) => 1 + Math.floor((now - START) / (24 * HOUR_MS));
const priceOf = (night: number) => 900 + 10 * night;
const countOf = (code: Code, night: number) => (code === 'HUGE' && night === 3 ? MANY_PACKAGES : PACKAGES);

function feedOf(code: Code, night: number, wrong = 0): Buffer {
  const items = Array.from({ length: countOf(code, night) }, (_, nth) =>
    feedItem({
      Brand: code,
      DeeplinkUrl: `https://www.${code.toLowerCase()}.example/${nth}`,
      HotelIdentifierCode: `H${nth}`,
      TotalPrice: nth < wrong ? priceOf(night) / 10 : priceOf(night),
    }),
  );
  return Buffer.from(ndjson(items));
}

/** What the providers' servers do at a time of night; `after` is the time since two o'clock. */
function respond(
  code: Code,
  { now, request, reply }: { now: number; request: IncomingMessage; reply: ServerResponse },
): void {
  const night = nightOf(now);
  const after = now - (START + (night - 1) * 24 * HOUR_MS);
  const modified = (of: number) => ({
    'last-modified': new Date(START + (of - 1) * 24 * HOUR_MS).toUTCString(),
  });
  const feed = feedOf(code, night);
  const send = (body: Buffer, headers: Record<string, string> = {}) =>
    reply.writeHead(200, { ...headers, 'content-length': String(body.length) }).end(body);
  const cut = (headers: Record<string, string>) => {
    reply.writeHead(200, { ...headers, 'content-length': String(feed.length) });
    // Ends the connection in order: a reset could lose what was sent.
    reply.write(feed.subarray(0, feed.length / 2), () => reply.socket?.end());
  };
  if (code === 'LATE' && night > 0 && after < HOUR_MS) reply.writeHead(503).end();
  else if (code === 'CUTS' && night === 1) {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from === 0) cut({ etag: '"one"' });
    else {
      const range = `bytes ${from}-${feed.length - 1}/${feed.length}`;
      reply.writeHead(206, { etag: '"one"', 'content-range': range }).end(feed.subarray(from));
    }
  } else if (code === 'CUTS' && night === 2 && after < HOUR_MS) cut({});
  else if (code === 'WRNG' && night === 2 && after < HOUR_MS) send(Buffer.from('<html>Sorry</html>'));
  else if (code === 'WRNG' && night === 3) send(feedOf(code, night, PACKAGES / 2), { etag: '"wrong"' });
  else if (code === 'HUGE' && night === 2 && after < HOUR_MS) send(BOMB);
  else if (code === 'ORDR' && night === 2 && after < HOUR_MS) send(feedOf(code, 0), modified(0));
  else if (code === 'ORDR' && night === 3 && after < HOUR_MS) reply.writeHead(401).end();
  else send(feed, modified(night));
}

/** Where a run is killed: while its feed is sent, or when it reports a phase. */
const KILLS: Readonly<Record<string, 'request' | 'Comparing' | 'Writing'>> = {
  'LATE 2': 'Comparing',
  'CUTS 3': 'request',
  'HUGE 3': 'Writing',
};

describe.each(STORE_KINDS)('five providers through three nights in the %s store', (kind) => {
  let site: FeedSite;
  let server: Server;
  let url: string;
  let now = START - HOUR_MS;
  /** Called with each request. True: the request gets no response. */
  let onRequest: (() => boolean) | null = null;
  const runs = new Map<string, number>();

  beforeAll(async () => {
    server = createServer((request, reply) => {
      if (onRequest?.() === true) return;
      respond((request.url ?? '').slice(1) as Code, { now, request, reply });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    site = await makeFeedSite(kind);
    site.setProviders(providers());
    site.file('providers.json', JSON.stringify(providers()));
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await site.close();
  });

  const providers = () => ({
    providers: CODES.map((code) => ({
      code,
      name: code,
      linkHosts: [`www.${code.toLowerCase()}.example`],
      feed: { source: `${url}/${code}`, format: 'items-json', schedule: '0 2 * * *' },
    })),
  });

  /** The provider whose work is due next, and when. */
  async function nextWork(): Promise<{ code: Code; at: number }> {
    const [first = ''] = (await site.run(['schedule'])).out.split('\n');
    const [, code = '', at = ''] = /^(\w+): fetch its feed, (\S+)$/.exec(first) ?? [];
    expect(CODES).toContain(code);
    return { code: code as Code, at: at === 'now' ? now : Date.parse(at) };
  }

  /** Runs the command in a process of its own, and kills it. */
  async function runAndKill(code: Code, at: 'request' | 'Comparing' | 'Writing'): Promise<void> {
    const child = spawn(process.execPath, [COMMAND, 'run', code, '--if-due'], {
      env: {
        PATH: process.env.PATH,
        CLOCK: new Date(now).toISOString().replace('.000Z', 'Z'),
        DATA_DIR: site.folder,
        PROVIDERS_FILE: site.file('providers.json', JSON.stringify(providers())),
        SAMPLE_INVENTORY: 'off',
        ...(site.address.kind === 'postgresql' ? { DATABASE_URL: site.address.url } : {}),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    let isKilled = false;
    const kill = () => {
      isKilled = true;
      return child.kill('SIGKILL');
    };
    if (at === 'request') onRequest = kill;
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes(at)) kill();
    });
    await ended;
    onRequest = null;
    expect(isKilled, said).toBe(true);
  }

  /** The packages and prices of each provider, which must always be those of one whole feed. */
  const stored = async () =>
    (
      await site.ask(
        `select provider.code, count(*), min(price), max(price) from offer
         join provider on provider.id = provider group by 1 order by 1`,
      )
    ).map(
      ([code, count, least, most]) =>
        `${String(code)} ${Number(count)} ${least === most ? Number(least) / 100 : 'mixed'}`,
    );

  it('has the last good feed of each at the end, and an attempt for each run', {
    timeout: 240_000,
  }, async () => {
    const killed = new Set<string>();
    for (;;) {
      site.setNow(now);
      const { code, at } = await nextWork();
      if (at >= START + NIGHTS * 24 * HOUR_MS) break;
      now = Math.max(now, at);
      site.setNow(now);
      const night = `${code} ${nightOf(now)}`;
      const kill = KILLS[night];
      const isLate = code === 'LATE' && now - START - 24 * HOUR_MS < HOUR_MS;
      if (kill === undefined || killed.has(night) || isLate) await site.run(['run', code, '--if-due']);
      else {
        killed.add(night);
        await runAndKill(code, kill);
      }
      runs.set(code, (runs.get(code) ?? 0) + 1);
      for (const line of await stored()) expect(line).toMatch(/^\w+ (?:40|3000) \d+$/);
    }
    expect([...killed].toSorted()).toEqual(Object.keys(KILLS).toSorted());
    expect(await stored()).toEqual([
      'CUTS 40 930',
      'HUGE 3000 930',
      'LATE 40 930',
      'ORDR 40 930',
      'WRNG 40 920',
    ]);
    const good = 'imported';
    const retried = ['failed', 'failed', 'failed', 'failed'];
    const outcomes = Object.fromEntries(
      await Promise.all(
        CODES.map(async (code) => [
          code,
          (await attemptsOf(site.database(), code)).map(({ outcome }) => outcome).toReversed(),
        ]),
      ),
    );
    for (const code of CODES) expect(outcomes[code], code).toHaveLength(runs.get(code) ?? 0);
    expect(outcomes).toMatchObject({
      ORDR: [good, good, ...retried, good, ...retried, good],
      WRNG: [good, good, ...retried, good, 'held'],
    });
    expect(outcomes.HUGE?.slice(0, 7)).toEqual([good, good, ...retried, good]);
    expect(outcomes.HUGE?.at(-1)).toBe(good);
    // A connection that breaks may lose what it had sent, so that there is nothing to resume.
    expect(outcomes.CUTS?.join(' ')).toMatch(
      /^imported (?:failed ){0,4}imported (?:failed ){4}imported failed imported$/,
    );
    // The killed import may have committed.
    expect(outcomes.LATE?.join(' ')).toMatch(
      /^imported (?:failed ){4}imported (?:failed ){4,5}imported (?:failed ){4}imported$/,
    );
  });
});
