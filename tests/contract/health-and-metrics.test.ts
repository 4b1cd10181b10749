import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEARCH_PACKAGES_QUERY } from '../../domain/search-query.ts';
import { ThreadEnded } from '../../server/lib/thread-ended.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../fixtures/small-app.ts';
import { FILTERS } from './suites/search-http.ts';

const PAGE = {
  'service-worker.js': '',
  'index.html': '<!doctype html><title>Skylark</title>',
};

/** The value of a sample in Prometheus's text format, by name and some of the labels. */
function sampleOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | null {
  const line = text
    .split('\n')
    .find(
      (one) =>
        (one.startsWith(`${name}{`) || one.startsWith(`${name} `)) &&
        Object.entries(labels).every(([label, value]) => one.includes(`${label}="${value}"`)),
    );
  return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ')));
}

describe('Metrics and health checks', () => {
  let small: SmallApp;
  const serverStatus = { isStopping: false };
  beforeAll(async () => {
    small = await openSmallApp({ page: PAGE, serverStatus });
  });
  afterAll(() => small.close());

  const metrics = async () => (await small.app.inject({ url: '/metrics' })).body;
  const search = (query: string, filters: object) =>
    small.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': API_KEY },
      payload: { query, variables: { filters } },
    });

  it('count searches by path and outcome', async () => {
    await search(SEARCH_PACKAGES_QUERY, FILTERS);
    await search(SEARCH_PACKAGES_QUERY, { ...FILTERS, brand: 'NOBODY' });
    await search(`# otherwise\n${SEARCH_PACKAGES_QUERY}`, FILTERS);
    await search(SEARCH_PACKAGES_QUERY, { ...FILTERS, startDate: 'soon' });
    const text = await metrics();
    const count = (path: string, outcome: string) =>
      sampleOf(text, 'skylark_search_duration_seconds_count', { path, outcome });
    expect(count('direct', 'found')).toBe(1);
    expect(count('direct', 'empty')).toBe(1);
    expect(count('schema', 'found')).toBe(1);
    expect(count('schema', 'refused')).toBe(1);
  });

  it('count responses by route, with all unknown URLs as one route', async () => {
    for (const url of ['/made-up/1', '/made-up/2', '/healthz']) await small.app.inject({ url });
    const text = await metrics();
    const name = 'skylark_http_request_duration_seconds_count';
    expect(sampleOf(text, name, { route: '/healthz', status: '200', method: 'GET' })).toBe(1);
    expect(sampleOf(text, name, { status: '404' })).toBe(2);
    expect(text).not.toContain('made-up');
  });

  it('record Web Vitals and nothing else about a visit', async () => {
    const tell = (payload: object) => small.app.inject({ method: 'POST', url: '/vitals', payload });
    const measurements = [
      { name: 'LCP', value: 1_234.5 },
      { name: 'CLS', value: 0.01 },
    ];
    expect((await tell({ page: '/results', measurements })).statusCode).toBe(204);
    const text = await metrics();
    expect(sampleOf(text, 'skylark_web_vital_seconds_sum', { name: 'LCP', page: '/results' })).toBe(1.2345);
    expect(sampleOf(text, 'skylark_web_vital_layout_shift_count', { page: '/results' })).toBe(1);
    for (const wrong of [
      { page: '/results?from=LGW', measurements },
      { page: '/', measurements: [] },
      { page: '/', measurements, visitor: 'me' },
      { page: '/', measurements: [{ name: 'FID', value: 1 }] },
      { page: '/', measurements: [{ name: 'LCP', value: -1 }] },
      { page: '/', measurements: [{ name: 'LCP', value: null }] },
      { page: '/', measurements: [{ name: 'CLS', value: 1_234 }] },
      { page: '/', measurements: Array.from({ length: 11 }, () => measurements[0]) },
      [],
    ]) {
      expect((await tell(wrong)).statusCode, JSON.stringify(wrong)).toBe(400);
    }
    expect(await metrics()).toContain('skylark_web_vital_layout_shift_count{page="/results"} 1\n');
  });

  it.each([
    ['another machine', { remoteAddress: '192.0.2.1' }],
    ['a proxy', { headers: { 'x-forwarded-for': '192.0.2.1' } }],
    ['a proxy with another header', { headers: { 'x-real-ip': '192.0.2.1' } }],
    ['a proxy that sends Via', { headers: { via: '1.1 proxy' } }],
    ['another site', { headers: { origin: 'https://elsewhere.example' } }],
    ['another name', { headers: { host: 'rebound.example' } }],
  ])('answer 404 to a request for metrics from %s', async (_, asked) => {
    const answer = await small.app.inject({ url: '/metrics', ...asked });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('skylark_');
  });

  it('answer 404 to a request for metrics in production without a token', async () => {
    const production = await openSmallApp({ mode: 'production' });
    expect((await production.app.inject({ url: '/metrics' })).statusCode).toBe(404);
    await production.close();
  });

  async function listening(): Promise<URL> {
    const { server } = small.app;
    if (!server.listening) await small.app.listen({ port: 0, host: '127.0.0.1' });
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  it('answer 404 to a request for metrics in HTTP/1.0, as proxies with default settings send it', async () => {
    const address = await listening();
    const send = async (version: string) => {
      const socket = connect(Number(address.port), '127.0.0.1');
      // Does not call `end`: Node would close the connection before the metrics are ready.
      socket.write(`GET /metrics HTTP/${version}\r\nHost: ${address.host}\r\nConnection: close\r\n\r\n`);
      return (await text(socket)).split('\r\n')[0];
    };
    expect([await send('1.0'), await send('1.1')]).toEqual(['HTTP/1.1 404 Not Found', 'HTTP/1.1 200 OK']);
  });

  it.each([
    ['an address that cannot be decoded', 'GET /% HTTP/1.1\r\nHost: x', 400],
    ['an address of bytes that are not UTF-8', 'GET /%ff%fe HTTP/1.1\r\nHost: x', 400],
    ['bytes that are not HTTP', 'GET / HTTP/9.9\r\nHost: x', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}`, 431],
  ])('send security headers and a sentence about %s', async (_, head, status) => {
    const address = await listening();
    const socket = connect(Number(address.port), '127.0.0.1');
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^content-security-policy: default-src 'none'/im);
    expect(answer).toMatch(/^x-content-type-options: nosniff/im);
    expect(answer).toMatch(/^x-request-id: [\w.:-]{8,64}\r$/im);
    expect(answer).toMatch(/\{"error":".+\.","code":"[A-Z_]+"\}$/);
  });

  it('count unreadable requests by method and status', async () => {
    const unread = await openSmallApp({ page: PAGE });
    await unread.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = unread.app.server.address() as AddressInfo;
    for (const head of ['GET /%zz HTTP/1.1\r\nHost: x', 'nonsense']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`${head}\r\nConnection: close\r\n\r\n`);
      await text(socket);
    }
    const measured = (await unread.app.inject({ url: '/metrics' })).body;
    const name = 'skylark_http_request_duration_seconds_count';
    expect(sampleOf(measured, name, { method: 'GET', route: 'none', status: '400' })).toBe(1);
    expect(sampleOf(measured, name, { method: 'none', route: 'none', status: '400' })).toBe(1);
    await unread.close();
  });

  it('require the token for metrics if one is set, from every address', async () => {
    const guarded = await openSmallApp({ metricsToken: 'a token for tests only' });
    const ask = async (authorization?: string) =>
      guarded.app.inject({
        url: '/metrics',
        remoteAddress: '192.0.2.1',
        headers: authorization === undefined ? {} : { authorization },
      });
    expect((await ask('Bearer a token for tests only')).body).toContain('skylark_search_duration_seconds');
    for (const wrong of [undefined, 'Bearer', 'Bearer a token', 'Basic a token for tests only']) {
      const refused = await ask(wrong);
      expect(refused.statusCode).toBe(401);
      expect(refused.headers['www-authenticate']).toBe('Bearer');
    }
    expect((await guarded.app.inject({ url: '/metrics' })).statusCode).toBe(401);
    await guarded.close();
  });

  it('warn of a full disk, and still report that the server is ready', async () => {
    let free: number | null = 50e9;
    const small = await openSmallApp({ page: PAGE, freeBytes: () => free });
    const ready = async () => {
      const answer = await small.app.inject({ url: '/readyz' });
      return [answer.statusCode, answer.json<{ warnings: string[] }>().warnings];
    };
    expect(await ready()).toEqual([200, []]);
    free = 4_096;
    expect(await ready()).toEqual([200, [expect.stringContaining('The disk of the data folder is full')]]);
    free = null;
    expect(await ready()).toEqual([200, []]);
    await small.close();
  });

  it('warn of a missing alerts key until it is restored', async () => {
    let isKeyMissing = false;
    const small = await openSmallApp({ page: PAGE, isKeyMissing: () => isKeyMissing });
    const warnings = async () =>
      (await small.app.inject({ url: '/readyz' })).json<{ warnings: string[] }>().warnings;
    expect(await warnings()).toEqual([]);
    isKeyMissing = true;
    expect(await warnings()).toEqual([expect.stringMatching(/alerts\.key is missing.*restore your copy/)]);
    isKeyMissing = false;
    expect(await warnings()).toEqual([]);
    await small.close();
  });

  it('report whether the server is ready, and what is missing', async () => {
    const ready = async () => {
      const answer = await small.app.inject({ url: '/readyz' });
      const isRetried = answer.headers['retry-after'] !== undefined;
      return [answer.statusCode, answer.json<{ missing: string[] }>().missing, isRetried];
    };
    expect(await ready()).toEqual([200, [], false]);
    serverStatus.isStopping = true;
    expect(await ready()).toEqual([503, ['The server is stopping.'], true]);
    expect((await small.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    serverStatus.isStopping = false;
    rmSync(join(small.page, 'index.html'));
    expect(await ready()).toEqual([
      503,
      ['The page has not been built. Run npm run build, or use npm start, which builds it.'],
      true,
    ]);
    writeFileSync(join(small.page, 'index.html'), PAGE['index.html']);
    expect(await ready()).toEqual([200, [], false]);
  });

  it('answer 503 with Retry-After if the thread of a request stops', async () => {
    const ended = new ThreadEnded('Worker visits stopped');
    const failures = [ended, new Error('The query failed', { cause: ended })];
    const lines: string[] = [];
    const interrupted = await openSmallApp({
      record: () => Promise.reject(failures.shift()),
      onLog: (line) => lines.push(line),
    });
    const click = () =>
      interrupted.app.inject({
        method: 'POST',
        url: '/visits',
        payload: { itemKey: 'a:package', price: 100 },
      });
    for (const answer of [await click(), await click()]) {
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
      expect(answer.json()).toEqual({ error: expect.stringContaining('try again'), code: 'INTERRUPTED' });
    }
    expect(lines.join('')).toContain('"reason":"Worker visits stopped"');
    await interrupted.close();
  });
});
