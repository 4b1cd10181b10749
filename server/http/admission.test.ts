import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import type { InjectOptions } from 'light-my-request';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { injectThroughServer } from '../../tests/fixtures/inject-through-server.ts';
import { type VirtualClock, virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { type Tally, tally } from '../lib/tally.ts';
import { requestMetrics } from '../metrics/request-metrics.ts';
import { admission } from './admission.ts';
import { boundedServer } from './bounded-server.ts';
import { clientAddresses } from './client-address.ts';
import type { Entrance } from './entrance.ts';
import { heldRefusals } from './held-refusals.ts';
import { loadShedding } from './load-shedding.ts';
import type { OpenRequestLimits } from './open-requests.ts';
import { type MemoryUse, PRESSURE_LIMITS } from './pressure.ts';
import { requestLimit } from './request-limit.ts';
import { routeFinder } from './route-finder.ts';
import { responseHeaders } from './security-headers.ts';

let app: FastifyInstance;
let clock: VirtualClock;
/** 5 of a network are many. */
let heldBack: Tally;
let registry: Registry;
let used: MemoryUse;
let limits: typeof PRESSURE_LIMITS;
let openLimits: OpenRequestLimits;
let logged: Record<string, unknown>[];
/** What the admission itself fails with. */
let failure: Error | null;
/** Health checks are beyond their limit. */
let isLimited: boolean;
/** All clients are beyond theirs. */
let isBeyondLimit: boolean;
let isCut: boolean;
/** Requests that were taken from an allowance. */
let counted: number;
/** Whether the network of each was crowded. */
let crowded: boolean[];
let answer: () => Promise<unknown>;
/** Requests that have reached the app. */
let atApp: number;
/** Turns that were taken, and that were given up, also those that had come. */
let turnsTaken: number;
let givenUp: number;
/** What waits at the entrance; null: everybody gets in at once. */
let atEntrance: (Parameters<Entrance['enter']>[0] & { start: () => void })[] | null;

beforeEach(() => {
  clock = virtualClock();
  registry = new Registry();
  heldBack = tally(5);
  used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
  limits = { ...PRESSURE_LIMITS, requestsWhileLate: 0 };
  openLimits = { all: 100, ofNetwork: 3, ofNetworkWhileFull: 1, ofPageWhileFull: 2, most: 200 };
  logged = [];
  failure = null;
  isLimited = false;
  isBeyondLimit = false;
  isCut = false;
  counted = 0;
  crowded = [];
  turnsTaken = 0;
  givenUp = 0;
  atEntrance = null;
  answer = async () => ({});
  atApp = 0;
  const admitted = admission({
    clock,
    addresses: {
      trusts: false,
      addressOf(request) {
        if (failure !== null) throw failure;
        return clientAddresses([]).addressOf(request);
      },
    },
    routes: routeFinder(),
    shedding: loadShedding({ clock, registry, limits, openLimits, memory: () => used }),
    limit: (limited) => {
      counted += 1;
      crowded.push(limited.isCrowded);
      if (isBeyondLimit) return { kind: 'refused', seconds: 5 };
      return isLimited && limited.route === '/healthz'
        ? { kind: 'later', wait: turnAfter(800) }
        : requestLimit(0, clock)(limited);
    },
    refusals: heldRefusals(clock, heldBack),
    heldBack,
    isCut: () => isCut,
    entrance: { enter: waitAtEntrance },
    headers: responseHeaders({ priceAnalysisUrl: null, conversationEndpoint: '', builtPage: null }),
    observe: requestMetrics(registry),
  });
  app = Fastify({
    logger: {
      base: null,
      level: 'warn',
      stream: { write: (line: string) => void logged.push(JSON.parse(line)) },
    },
    serverFactory: (handler) => boundedServer(admitted.inFrontOf(handler)),
  });
  admitted.follow(app);
  const handler = () => {
    atApp += 1;
    return answer();
  };
  for (const url of ['/healthz', '/readyz', '/webhooks/whatsapp', '/config.json']) app.get(url, handler);
  app.post('/graphql', handler);
});

afterEach(() => app.close());

const inject = (options: InjectOptions) => injectThroughServer(app, options);
const statusOf = async (url: string) => (await inject({ url })).statusCode;
const reached = (count: number) => vi.waitFor(() => expect(atApp).toBe(count));
const reasons = () => logged.flatMap(({ reason }) => reason ?? []);

function turnAfter(ms: number): (go: () => void) => () => void {
  return (go) => {
    turnsTaken += 1;
    const cancel = clock.after(ms, go);
    return () => {
      givenUp += 1;
      cancel();
    };
  };
}

function waitAtEntrance(...[entering, start]: Parameters<Entrance['enter']>): (() => void) | null {
  if (atEntrance === null) {
    start();
    return null;
  }
  atEntrance.push({ ...entering, start });
  return () => {
    givenUp += 1;
  };
}

/** The event loop is late at every look. */
function beLate(ms: number, looks: number): void {
  for (let nth = 0; nth < looks; nth += 1) {
    clock.block(ms);
    clock.step();
  }
}

it('sheds while the event loop is late twice in a row, except what others decide by', async () => {
  const search = { method: 'POST', url: '/graphql', payload: {} } as const;
  beLate(800, 1);
  expect((await inject(search)).statusCode).toBe(200);
  beLate(800, 2);
  const shed = await inject(search);
  expect(shed.statusCode).toBe(503);
  expect(shed.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' });
  expect(shed.json()).toEqual({ error: expect.stringMatching(/busy.+again/) });
  for (const url of ['/healthz', '/readyz', '/webhooks/whatsapp']) expect(await statusOf(url)).toBe(200);
  expect(reasons()).toEqual(['overload: event loop']);
  expect(await registry.metrics()).toContain('skylark_requests_shed_total{reason="event loop"} 1');
  beLate(0, 2);
  expect((await inject(search)).statusCode).toBe(200);
});

it('answers the parts of a page late instead of shedding them, but no unknown address', async () => {
  beLate(800, 3);
  expect(await statusOf('/config.json')).toBe(200);
  expect((await inject({ method: 'HEAD', url: '/config.json' })).statusCode).toBe(200);
  expect(await statusOf('/wp-login.php')).toBe(503);
});

it('sheds nothing while the event loop is late and few requests are open', async () => {
  limits.requestsWhileLate = 1;
  const { promise, resolve } = Promise.withResolvers<object>();
  answer = () => promise;
  const open = inject({ method: 'POST', url: '/graphql', payload: {} });
  await reached(1);
  beLate(800, 3);
  expect(await statusOf('/wp-login.php')).toBe(503);
  resolve({});
  expect((await open).statusCode).toBe(200);
  expect(await statusOf('/wp-login.php')).toBe(404);
});

it.each([
  ['heap', { heapShare: 0.9, memoryShare: 0.2, enoughShare: 0.2 }],
  ['memory', { heapShare: 0.2, memoryShare: 0.9, enoughShare: 0.2 }],
])('sheds while the %s is nearly full', async (reason, share) => {
  used = share;
  await clock.advance(100);
  expect(await statusOf('/config.json')).toBe(503);
  expect(reasons()).toEqual([`overload: ${reason}`]);
  used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
  await clock.advance(100);
  expect(await statusOf('/config.json')).toBe(200);
});

it('ends the connection, and not the process, if it fails itself', async () => {
  failure = new Error('unexpected');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  await expect(fetch(`${address}/config.json`)).rejects.toThrow();
  expect(logged).toEqual([expect.objectContaining({ msg: 'unexpected' })]);
  failure = null;
  expect((await fetch(`${address}/config.json`)).status).toBe(200);
});

it('drops a request whose connection was reset before it was read', async () => {
  await app.ready();
  const destroy = vi.fn();
  app.server.emit(
    'request',
    { method: 'GET', url: '/config.json', headers: {}, rawHeaders: [], socket: { destroy } },
    {},
  );
  expect(destroy).toHaveBeenCalledOnce();
  expect(logged).toEqual([]);
});

it('sheds beyond the requests that may be open, and counts each down when it closes', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  answer = () => promise;
  const open = [1, 2, 3].map(() => inject({ url: '/config.json' }));
  await reached(3);
  expect(await statusOf('/config.json')).toBe(503);
  expect(reasons()).toEqual(['overload: requests']);
  resolve({});
  expect((await Promise.all(open)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(await statusOf('/config.json')).toBe(200);
});

it('takes no place from others for uploads until they have arrived, and never shuts out pages', async () => {
  openLimits.all = 2;
  openLimits.ofNetworkWhileFull = 0;
  const { promise, resolve } = Promise.withResolvers<object>();
  answer = () => promise;
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const uploads = [1, 2].map(() => connect(Number(port), '127.0.0.1'));
  for (const upload of uploads) {
    upload.write(
      'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
    );
    await once(app.server, 'request');
  }
  expect(await statusOf('/wp-login.php')).toBe(404);
  for (const upload of uploads) upload.write('}');
  await vi.waitFor(async () => expect(await statusOf('/wp-login.php')).toBe(503));
  const page = inject({ url: '/config.json' });
  resolve({});
  expect((await page).statusCode).toBe(200);
  for (const upload of uploads) upload.destroy();
});

it('takes no place from others for what is answered whatever the load', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  answer = () => promise;
  const open = Array.from({ length: 10 }, () => inject({ url: '/webhooks/whatsapp' }));
  await reached(10);
  const page = inject({ url: '/config.json' });
  resolve({});
  expect((await page).statusCode).toBe(200);
  expect((await Promise.all(open)).every(({ statusCode }) => statusCode === 200)).toBe(true);
});

it('answers health checks that a connection sends at once one after the other, if they are too many', async () => {
  isLimited = true;
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client = connect(Number(port), '127.0.0.1');
  let received = '';
  client.on('data', (bytes) => {
    received += bytes;
  });
  const answered = () => received.match(/HTTP\/1\.1 200/g)?.length ?? 0;
  client.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
  for (const nth of [1, 2, 3]) {
    await vi.waitFor(() => expect(turnsTaken).toBe(nth));
    expect(answered()).toBe(nth - 1);
    await clock.advance(800);
    await expect.poll(answered).toBe(nth);
  }
  client.destroy();
});

it('lets nobody in whose connection has closed while they waited for their turn', async () => {
  isLimited = true;
  let answered = 0;
  answer = async () => {
    answered += 1;
    return {};
  };
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const closed = vi.fn();
  app.server.on('request', (_request, response) => response.once('close', closed));
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await vi.waitFor(() => expect(turnsTaken).toBe(1));
  client.destroy();
  await expect.poll(() => closed.mock.calls.length).toBe(1);
  expect(givenUp).toBe(1);
  await clock.advance(1_000);
  expect(answered).toBe(0);
});

describe('a refusal', () => {
  beforeEach(async () => {
    used = { heapShare: 0.9, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
  });

  it('has the headers of the app’s own responses, and can be read by pages on other origins', async () => {
    const { headers } = await inject({
      method: 'POST',
      url: '/%67raphql/?a=1',
      payload: { query: 'x' },
      headers: { 'x-request-id': 'visitor-42-abc' },
    });
    expect(headers).toMatchObject({
      'x-request-id': 'visitor-42-abc',
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
    });
    expect((await inject({ url: '/config.json' })).headers['access-control-allow-origin']).toBe('*');
    const page = await inject({ url: '/nothing' });
    expect(page.statusCode).toBe(503);
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is logged and measured by its route, without the query and phone numbers', async () => {
    await inject({ method: 'POST', url: '/%67raphql?phone=07700900123' });
    await inject({ url: '/07700900123' });
    await inject({ url: '/healthz' });
    const [first, second, ...others] = logged;
    expect(first).toMatchObject({
      method: 'POST',
      path: '/%67raphql',
      status: 503,
      ms: expect.any(Number),
      reason: 'overload: heap',
      reqId: expect.any(String),
    });
    expect(second).toMatchObject({ path: '/[number]', status: 503 });
    expect(others).toEqual([]);
    const measured = await registry.metrics();
    const count = 'skylark_http_request_duration_seconds_count';
    expect(measured).toContain(`${count}{method="POST",route="/graphql",status="503"} 1`);
    expect(measured).toContain(`${count}{method="GET",route="none",status="503"} 1`);
    expect(measured).not.toContain('07700900123');
  });

  it('leaves its connection usable, with a body that nobody has read', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const post = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request(
          `${address}/graphql`,
          { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
          (response) => {
            ports.add(response.socket.localPort);
            response.resume().once('end', () => resolve(response.statusCode));
          },
        );
        asked.once('error', reject);
        asked.end(JSON.stringify({ query: 'x'.repeat(60_000) }));
      });
    expect([await post(), await post()]).toEqual([503, 503]);
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    expect(await post()).toBe(200);
    expect(ports.size).toBe(1);
    agent.destroy();
  });

  it('that is held ends with its connection, and gives its place back', async () => {
    openLimits.ofNetwork = 1;
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const asked = Array.from({ length: 30 }, () => {
      const one = request(`${address}/config.json`);
      one.on('error', () => {});
      one.end();
      return one;
    });
    await expect.poll(() => logged.length).toBe(10);
    for (const one of asked) one.destroy();
    await clock.advance(900);
    await expect.poll(() => logged.length).toBe(30);
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    expect(await statusOf('/config.json')).toBe(200);
  });
});

it('refuses a request whose body was not kept, and closes its connection', async () => {
  isCut = true;
  const response = await inject({ method: 'POST', url: '/webhooks/whatsapp', payload: {} });
  const { connection, 'retry-after': retryAfter } = response.headers;
  expect([response.statusCode, connection, retryAfter]).toEqual([429, 'close', '2']);
  expect([atApp, counted]).toEqual([0, 0]);
});

it('counts what a network with too many open requests asks for in vain, and not what is shed for the load of all', async () => {
  openLimits.ofNetwork = 1;
  const { promise, resolve } = Promise.withResolvers<object>();
  answer = () => promise;
  const open = inject({ url: '/config.json' });
  await reached(1);
  for (let nth = 0; nth < 5; nth += 1) expect(await statusOf('/config.json')).toBe(503);
  expect(counted).toBe(6);
  isBeyondLimit = true;
  expect(await statusOf('/config.json')).toBe(429);
  used = { heapShare: 0.9, memoryShare: 0.2, enoughShare: 0.2 };
  await clock.advance(100);
  expect(await statusOf('/config.json')).toBe(503);
  expect(counted).toBe(7);
  resolve({});
  expect((await open).statusCode).toBe(200);
});

describe('a flood of refusals', () => {
  let answered: number;
  beforeEach(async () => {
    used = { heapShare: 0.9, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    answered = 0;
  });

  /** Asks once from each address, at once. */
  const ask = (addresses: readonly string[]) =>
    Promise.all(
      addresses.map(async (remoteAddress) => {
        await inject({ url: '/config.json', remoteAddress });
        answered += 1;
      }),
    );
  const settle = () => new Promise((done) => setTimeout(done, 100));
  const networks = (most: number) =>
    Array.from({ length: most }, (_, nth) => `10.${nth >> 8}.${nth & 255}.1`);

  it('to one network is held back for less than a second, and nobody else’s', async () => {
    const all = ask(Array.from({ length: 60 }, () => '127.0.0.1'));
    await settle();
    expect(answered).toBe(10);
    expect((await inject({ url: '/config.json', remoteAddress: '192.0.2.1' })).statusCode).toBe(503);
    await clock.advance(900);
    await all;
    expect(answered).toBe(60);
  });

  it('to many networks is held back too, and takes no place of a request that is answered', async () => {
    const all = ask(networks(150));
    await settle();
    expect(answered).toBe(100);
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    // Fifty are held, where three may be open.
    expect(await statusOf('/config.json')).toBe(200);
    await clock.advance(900);
    await all;
    expect(answered).toBe(150);
  });

  it.each(['which would be refused too', 'which nothing refuses'])(
    'ends a connection that sends more requests behind one that is held, %s',
    async (which) => {
      const behind = which === 'which nothing refuses' ? '/webhooks/whatsapp' : '/config.json';
      let reached = 0;
      answer = async () => {
        reached += 1;
        return {};
      };
      const address = await app.listen({ host: '127.0.0.1', port: 0 });
      // The first ten are not held.
      await ask(Array.from({ length: 10 }, () => '127.0.0.1'));
      const client = connect(Number(new URL(address).port), '127.0.0.1');
      const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
      client.write(requestOf('/config.json') + requestOf(behind).repeat(15));
      const read = text(client);
      await settle();
      await clock.advance(900);
      const answers = (await read).match(/HTTP\/1\.1 \d+ |connection: close/g);
      expect(answers).toEqual(['HTTP/1.1 503 ', 'connection: close']);
      expect(logged).toHaveLength(11);
      expect(reached).toBe(0);
    },
  );

  it.each([401, 403, 404, 429, 503])('of webhooks is held back too: %s', async (statusCode) => {
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    answer = async () => {
      throw Object.assign(new Error('forged'), { statusCode });
    };
    const forged = Array.from({ length: 60 }, async () => {
      await inject({ url: '/webhooks/whatsapp' });
      answered += 1;
    });
    await settle();
    expect(answered).toBe(10);
    await clock.advance(900);
    await Promise.all(forged);
    expect(answered).toBe(60);
  });

  it('keeps nothing of the bodies that came with their requests, and of the headers their id', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const refused: IncomingMessage[] = [];
    app.server.on('request', (request) => refused.push(request));
    await ask(Array.from({ length: 10 }, () => '127.0.0.1'));
    refused.length = 0;
    const body = JSON.stringify({ filler: 'x'.repeat(60_000) });
    const headers = { 'content-type': 'application/json', 'x-request-id': 'visitor-42-abc' };
    const answering = fetch(`${address}/graphql`, { method: 'POST', headers, body });
    await vi.waitFor(() => expect(refused.map(({ complete }) => complete)).toEqual([true]));
    expect(refused.map(({ readableLength }) => readableLength)).toEqual([0]);
    expect(refused.map((request) => [request.headers, request.rawHeaders])).toEqual([
      [{ 'x-request-id': 'visitor-42-abc' }, []],
    ]);
    await clock.advance(900);
    expect((await answering).status).toBe(503);
    expect((await answering).headers.get('x-request-id')).toBe('visitor-42-abc');
  });

  it('to a network beyond its own limit is held for longer if it has hundreds coming', async () => {
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    isBeyondLimit = true;
    const all = ask(Array.from({ length: 1_200 }, () => '127.0.0.1'));
    await settle();
    await clock.advance(900);
    await settle();
    expect(answered).toBeLessThan(700);
    await clock.advance(1_300);
    await all;
    expect(answered).toBe(1_200);
  });

  it('notices that clients have gone when their refusals are due, and keeps nothing for them', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = new URL(address);
    await ask(Array.from({ length: 10 }, () => '127.0.0.1'));
    const clients = Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1'));
    let closed = 0;
    app.server.on('request', (_request, response) => response.once('close', () => (closed += 1)));
    for (const client of clients) client.write('GET /config.json HTTP/1.1\r\nhost: x\r\n\r\n');
    await settle();
    expect(closed).toBe(0);
    const pending = clock.pending;
    for (const client of clients) client.destroy();
    await settle();
    expect(closed).toBe(0);
    await clock.advance(900);
    await vi.waitFor(() => expect(closed).toBe(20));
    expect(clock.pending).toBeLessThan(pending);
  });

  it('leaves connections open for what their clients ask next', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    await ask(Array.from({ length: 10 }, () => '127.0.0.1'));
    const client = connect(Number(new URL(address).port), '127.0.0.1');
    let received = '';
    client.on('data', (bytes) => {
      received += bytes;
    });
    const answers = () => received.split('HTTP/1.1 503').length - 1;
    for (let nth = 1; nth <= 2; nth += 1) {
      client.write('POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}');
      await settle();
      expect(answers()).toBe(nth - 1);
      await clock.advance(900);
      await vi.waitFor(() => expect(answers()).toBe(nth));
    }
    client.destroy();
  });

  it.each([
    ['is read when the next refusal would be due if it is a client’s own', '127.0.0.2', 1],
    ['is read at once if it may be a proxy’s', '127.0.0.1', 2],
  ])('to a network with many of them: its connection %s', async (_, localAddress, atOnce) => {
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    await ask(Array.from({ length: 10 }, () => localAddress));
    for (let nth = 0; nth < 5; nth += 1) heldBack.add(localAddress);
    let read = 0;
    app.server.on('request', () => {
      read += 1;
    });
    const client = connect({ port: Number(port), host: '127.0.0.1', localAddress });
    let received = '';
    client.on('data', (bytes) => {
      received += bytes;
    });
    const answers = () => received.split('HTTP/1.1 503').length - 1;
    const get = () => client.write('GET /config.json HTTP/1.1\r\nhost: x\r\n\r\n');
    get();
    await settle();
    await clock.advance(900);
    await vi.waitFor(() => expect(answers()).toBe(1));
    get();
    await settle();
    expect([read, answers()]).toEqual([atOnce, 1]);
    await clock.advance(900);
    await vi.waitFor(() => expect([read, answers()]).toEqual([2, 2]));
    const pending = clock.pending;
    client.destroy();
    await settle();
    await clock.advance(900);
    expect(clock.pending).toBeLessThanOrEqual(pending);
    expect(heldBack.of(localAddress)).toBe(5);
  });

  it('of the app takes no place of a request that is answered', async () => {
    // From now on, those of all are held.
    await ask(networks(100));
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    openLimits.all = 20;
    openLimits.most = 20;
    answer = async () => {
      throw Object.assign(new Error('busy'), { statusCode: 503 });
    };
    const all: Promise<unknown>[] = [];
    for (const network of networks(40)) {
      all.push(ask([network]));
      await vi.waitFor(() => expect(atApp).toBe(all.length), { interval: 1 });
    }
    expect(answered).toBe(100);
    answer = async () => ({});
    expect(await statusOf('/config.json')).toBe(200);
    await clock.advance(900);
    await Promise.all(all);
    expect(answered).toBe(140);
  });

  it('of the app ends for clients that have gone, and keeps nothing for them', async () => {
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    openLimits.ofNetwork = 100;
    answer = async () => {
      throw Object.assign(new Error('busy'), { statusCode: 503 });
    };
    let released = 0;
    app.addHook('onSend', async () => {
      released += 1;
    });
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    await ask(Array.from({ length: 10 }, () => '127.0.0.1'));
    const clients = Array.from({ length: 20 }, () => connect(Number(port), '127.0.0.1'));
    for (const client of clients) client.write('GET /config.json HTTP/1.1\r\nhost: x\r\n\r\n');
    await reached(30);
    await settle();
    expect(released).toBe(10);
    const pending = clock.pending;
    for (const client of clients) client.destroy();
    await vi.waitFor(() => expect(released).toBe(30));
    await clock.advance(10);
    expect(clock.pending).toBeLessThan(pending);
  });

  it('is not held for longer because its requests have waited', async () => {
    used = { heapShare: 0.2, memoryShare: 0.2, enoughShare: 0.2 };
    await clock.advance(100);
    openLimits.ofNetwork = 100;
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = async () => {
      await promise;
      throw Object.assign(new Error('late'), { statusCode: 503 });
    };
    const all = ask(Array.from({ length: 60 }, () => '127.0.0.1'));
    await settle();
    clock.block(860);
    resolve();
    await all;
    expect(answered).toBe(60);
    expect(reasons()).toEqual([]);
  });
});

it('lets requests in when the entrance does, by their kind and network', async () => {
  atEntrance = [];
  const answers = [
    inject({ url: '/config.json', remoteAddress: '203.0.113.1' }),
    inject({ url: '/healthz', remoteAddress: '203.0.113.2' }),
    inject({ method: 'POST', url: '/graphql', payload: {}, remoteAddress: '203.0.113.3' }),
  ];
  await vi.waitFor(() => expect(atEntrance).toHaveLength(3));
  const kinds = new Map(atEntrance.map(({ network, kind }) => [network, kind]));
  expect(kinds).toEqual(
    new Map([
      ['203.0.113.1', 'other'],
      ['203.0.113.2', 'urgent'],
      ['203.0.113.3', 'search'],
    ]),
  );
  for (const { start } of atEntrance) start();
  expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
});

it('lets eight requests of a network in at once, and twenty of a page; further ones take turns', async () => {
  openLimits.ofNetwork = 100;
  atEntrance = [];
  const answers: ReturnType<typeof inject>[] = [];
  const ask = async (more: InjectOptions) => {
    const before = crowded.length;
    answers.push(inject(more));
    await vi.waitFor(() => expect(crowded).toHaveLength(before + 1));
    return crowded.at(-1);
  };
  const search = { method: 'POST', url: '/graphql', payload: {}, remoteAddress: '203.0.113.1' } as const;
  const page = { url: '/config.json', remoteAddress: '203.0.113.1' };
  for (let nth = 1; nth <= 8; nth += 1) expect(await ask(search)).toBe(false);
  expect(await ask(search)).toBe(true);
  for (let nth = 10; nth <= 20; nth += 1) expect(await ask(page)).toBe(false);
  expect(await ask(page)).toBe(true);
  expect(await ask({ ...search, remoteAddress: '203.0.113.2' })).toBe(false);
  for (const { start } of atEntrance) start();
  await Promise.all(answers);
  atEntrance = null;
  expect(await ask(search)).toBe(false);
  await Promise.all(answers);
});

it('gives the turn at the entrance up when the client has gone', async () => {
  atEntrance = [];
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET /config.json HTTP/1.1\r\nhost: x\r\n\r\n');
  await vi.waitFor(() => expect(atEntrance).toHaveLength(1));
  client.destroy();
  await vi.waitFor(() => expect(givenUp).toBe(1));
});

it('refuses at the entrance what may not get in any more', async () => {
  atEntrance = [];
  const waiting = [inject({ method: 'POST', url: '/graphql', payload: {} }), inject({ url: '/healthz' })];
  await vi.waitFor(() => expect(atEntrance).toHaveLength(2));
  used = { heapShare: 0.9, memoryShare: 0.2, enoughShare: 0.2 };
  await clock.advance(100);
  for (const { start } of atEntrance) start();
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual([503, 200]);
  expect(reasons()).toEqual(['overload: heap']);
});
