import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addErrorHandler } from './error-handler.ts';
import { addLimits, MAX_LOOP_DELAY_MS, MAX_OPEN_WHILE_LATE, REFUSAL_DELAY_MS } from './limits.ts';
import { addRequestLog } from './request-log.ts';

/** How many requests a client may send to `/graphql` per minute. */
const LIMIT = 2;

let app: FastifyInstance;

async function openApp(perMinute: number): Promise<FastifyInstance> {
  const made = Fastify({ trustProxy: 'loopback' });
  addRequestLog(made, () => 0);
  addErrorHandler(made);
  await addLimits(made, perMinute);
  made.post('/graphql', { config: { limit: 'store' } }, async () => 'found');
  for (const url of ['/', '/*']) made.get(url, async () => 'there');
  const config = { limit: 'none' } as const;
  for (const url of ['/healthz', '/readyz', '/metrics']) made.get(url, { config }, async () => 'there');
  made.post('/webhooks/whatsapp', { config }, async () => 'processed');
  made.post('/my-alerts/stop', { config }, async () => 'stopped');
  return made;
}

afterEach(() => app.close());

describe('The request limit', () => {
  beforeEach(async () => {
    app = await openApp(LIMIT);
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Sends a request from a client behind the proxy. Skips the delay of refusals. */
  async function send(address: string, url = '/graphql', method: 'GET' | 'POST' = 'POST') {
    const asked = app.inject({ method, url, headers: { 'x-forwarded-for': address } });
    for (;;) {
      const answer = await Promise.race([asked, vi.advanceTimersByTimeAsync(REFUSAL_DELAY_MS)]);
      if (answer !== undefined && 'statusCode' in answer) return answer;
    }
  }
  const statuses = async (count: number, address: string, url?: string, method?: 'GET') => {
    const all: number[] = [];
    for (let nth = 0; nth < count; nth += 1) all.push((await send(address, url, method)).statusCode);
    return all;
  };

  it('refuses further requests by the same client with 429, a code and Retry-After', async () => {
    expect(await statuses(LIMIT, '192.0.2.1')).toEqual([200, 200]);
    const refused = await send('192.0.2.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual({
      error: 'Too many requests. Please try again in a moment.',
      code: 'RATE_LIMITED',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send('192.0.2.2')).statusCode).toBe(200);
  });

  it('accepts requests again after a minute', async () => {
    await statuses(LIMIT + 1, '192.0.2.1');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await statuses(1, '192.0.2.1')).toEqual([200]);
  });

  it('counts an IPv6 /64 as one client', async () => {
    await statuses(LIMIT, '2001:db8:1:2::1');
    expect(await statuses(1, '2001:db8:1:2:ffff::9')).toEqual([429]);
    expect(await statuses(1, '2001:db8:1:3::1')).toEqual([200]);
  });

  it('allows five times as many requests for pages, files and unknown URLs', async () => {
    const others = [
      ...(await statuses(9, '192.0.2.1', '/', 'GET')),
      ...(await statuses(1, '192.0.2.1', '/no')),
    ];
    expect(others.filter((status) => status === 429)).toEqual([]);
    expect(await statuses(1, '192.0.2.1', '/style.css', 'GET')).toEqual([429]);
    expect(await statuses(1, '192.0.2.1')).toEqual([200]);
  });

  it.each([
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['POST', '/webhooks/whatsapp'],
    ['POST', '/my-alerts/stop'],
  ] as const)('does not limit %s %s', async (method, url) => {
    for (let nth = 0; nth < 20; nth += 1) expect((await send('192.0.2.1', url, method)).statusCode).toBe(200);
  });

  it('does not limit programs on this machine, except behind a proxy', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      expect((await app.inject({ method: 'POST', url: '/graphql' })).statusCode).toBe(200);
    }
  });
});

describe('An overloaded server', () => {
  beforeEach(async () => {
    app = await openApp(0);
    await app.listen({ port: 0, host: '127.0.0.1' });
  });

  /** Blocks the event loop until after the next check of its delay. */
  async function overload(): Promise<void> {
    await app.ready();
    const until = performance.now() + 4 * MAX_LOOP_DELAY_MS;
    while (performance.now() < until);
    await vi.waitFor(() => expect(app.getDecorator<() => boolean>('isUnderPressure')()).toBe(true), {
      timeout: 20_000,
    });
  }
  const ask = (url: string, method: 'GET' | 'POST' = 'POST') => app.inject({ method, url });

  it('serves up to ten requests at a time, and refuses others with 503, a code and Retry-After', async () => {
    await overload();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask('/graphql')));
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(refused).toHaveLength(30 - MAX_OPEN_WHILE_LATE);
    expect(refused[0]?.json()).toEqual({ error: expect.stringContaining('busy'), code: 'OVERLOADED' });
    expect(refused[0]?.headers['retry-after']).toBe('2');
  });

  it('never refuses health checks, metrics, webhooks, unsubscribe requests and the page', async () => {
    await overload();
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => ask('/', 'GET')),
      ...(['/healthz', '/readyz', '/metrics', '/style.css'] as const).map((url) => ask(url, 'GET')),
      ...(['/webhooks/whatsapp', '/my-alerts/stop'] as const).map((url) => ask(url)),
    ]);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  });
});

describe('The delay of refusals', () => {
  let address: string;
  beforeEach(async () => {
    app = await openApp(1);
    address = await app.listen({ port: 0, host: '127.0.0.1' });
    await post();
  });

  const post = (signal?: AbortSignal) =>
    fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '192.0.2.1' },
      ...(signal && { signal }),
    });

  it('lasts most of a second', async () => {
    const from = performance.now();
    expect((await post()).status).toBe(429);
    expect(performance.now() - from).toBeGreaterThanOrEqual(REFUSAL_DELAY_MS - 1);
  });

  it('ends when the client disconnects', async () => {
    const ended = vi.spyOn(globalThis, 'clearTimeout');
    const leaving = new AbortController();
    const left = post(leaving.signal);
    const [, response] = await once(app.server, 'request');
    await sleep(0);
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    await once(response, 'close');
    expect(ended).toHaveBeenCalled();
    ended.mockRestore();
  });

  it('ends when the app closes', async () => {
    const from = performance.now();
    const refused = post();
    await once(app.server, 'request');
    await app.close();
    expect((await refused).status).toBe(429);
    expect(performance.now() - from).toBeLessThan(REFUSAL_DELAY_MS);
  });
});
