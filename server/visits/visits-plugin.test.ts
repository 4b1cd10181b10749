import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addSecurityHeaders, responseHeaders } from '../http/security-headers.ts';
import { CallerGone } from '../lib/caller.ts';
import { Overloaded } from '../lib/overloaded.ts';
import { StoreUnavailable } from '../lib/store-unavailable.ts';
import { priceTokens } from '../package-search/tokens/price-token.ts';
import type { CheckedPrice, SiteVisit } from './record-visits.ts';
import { visitsPlugin } from './visits-plugin.ts';

const NOW = Date.UTC(2027, 3, 1, 12);
const TOKEN_KEY = new Uint8Array(32).fill(1);
const SHOWN = { itemKey: 'a:package', price: 100_00 };

let app: FastifyInstance;
let recorded: SiteVisit[];
let monotonicNow: number;
/** If set, recording clicks fails with this error. */
let failure: Error | null;
let checked: CheckedPrice | null;

beforeEach(() => {
  app = Fastify({ trustProxy: true });
  addSecurityHeaders(
    app,
    responseHeaders({ priceAnalysisUrl: null, conversationEndpoint: '', builtPage: null }),
  );
  recorded = [];
  monotonicNow = 0;
  failure = null;
  checked = { price: 107_00 };
  app.register(visitsPlugin, {
    visits: {
      async record(visit) {
        if (failure !== null) throw failure;
        recorded.push(visit);
        return visit.isShown ? 'recorded' : 'price not shown';
      },
      check: async () => checked,
      queue: null,
      async stop() {},
    },
    tokenKey: TOKEN_KEY,
    now: () => NOW,
    monotonicNow: () => monotonicNow,
  });
});
afterEach(() => app.close());

const priceToken = priceTokens(TOKEN_KEY).issue(SHOWN.itemKey, SHOWN.price, Math.floor(NOW / 60_000));

/** Sends this many clicks from a client, and returns their statuses. */
async function clicks(count: number, address: string | null, token = priceToken): Promise<number[]> {
  const payload = { itemKey: SHOWN.itemKey, price: SHOWN.price / 100, priceToken: token };
  const headers = address === null ? {} : { 'x-forwarded-for': address };
  const click = () => app.inject({ method: 'POST', url: '/visits', payload, headers });
  return (await Promise.all(Array.from({ length: count }, click))).map(({ statusCode }) => statusCode);
}

it('records one client’s clicks up to its limit, and responds to all alike', async () => {
  expect(new Set(await clicks(200, '203.0.113.1'))).toEqual(new Set([204]));
  expect(recorded).toHaveLength(120);
  monotonicNow += 60_000;
  await clicks(200, '203.0.113.1');
  expect(recorded).toHaveLength(140);
});

it('records other clients’ clicks at the same time', async () => {
  await clicks(200, '203.0.113.1');
  await clicks(1, '203.0.113.2');
  expect(recorded).toHaveLength(121);
});

it('counts addresses in one IPv6 /64 as one client', async () => {
  await clicks(100, '2001:db8:1:1::1');
  await clicks(100, '2001:db8:1:1:2::1');
  expect(recorded).toHaveLength(120);
});

it('refuses a click without a token, and does not count it', async () => {
  expect(new Set(await clicks(200, '203.0.113.1', 'none'))).toEqual(new Set([400]));
  recorded = [];
  await clicks(1, '203.0.113.1');
  expect(recorded).toHaveLength(1);
});

it('does not limit programs on this machine', async () => {
  await clicks(200, null);
  expect(recorded).toHaveLength(200);
});

it.each([new Overloaded(1), new StoreUnavailable()])(
  'does not count a click that was refused with %s',
  async (refusal) => {
    failure = refusal;
    await clicks(200, '203.0.113.1');
    failure = null;
    await clicks(200, '203.0.113.1');
    expect(recorded).toHaveLength(120);
  },
);

it('counts a click whose client has disconnected, because it may be recorded', async () => {
  failure = new CallerGone();
  await clicks(200, '203.0.113.1');
  failure = null;
  await clicks(200, '203.0.113.1');
  expect(recorded).toHaveLength(0);
});

it('responds to a check of a shown price with the price now, up to a client’s limit', async () => {
  const check = (token = priceToken) =>
    app.inject({
      method: 'POST',
      url: '/visits/check',
      payload: { itemKey: SHOWN.itemKey, price: SHOWN.price / 100, priceToken: token },
      headers: { 'x-forwarded-for': '203.0.113.1' },
    });
  expect((await check('none')).statusCode).toBe(400);
  expect((await check()).json()).toEqual({ price: 107 });
  checked = { price: null };
  expect((await check()).json()).toEqual({ price: null });
  checked = null;
  expect((await check()).statusCode).toBe(204);
  checked = { price: 107_00 };
  const further = await Promise.all(Array.from({ length: 58 }, () => check()));
  expect(further.map(({ statusCode }) => statusCode)).toEqual([...Array(57).fill(200), 204]);
});

it.each(['/visits', '/visits/check'])('lets pages of other origins read the responses of %s', async (url) => {
  const payload = { itemKey: SHOWN.itemKey, price: SHOWN.price / 100, priceToken };
  for (const content of [payload, {}]) {
    const { headers } = await app.inject({ method: 'POST', url, payload: content });
    expect(headers['access-control-allow-origin']).toBe('*');
  }
});
