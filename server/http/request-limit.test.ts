import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSmallAlerts } from '../../tests/fixtures/alerts/small-alerts.ts';
import { API_KEY, openSmallApp } from '../../tests/fixtures/small-app.ts';
import { virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { tally } from '../lib/tally.ts';
import { connectionLimit, requestAllowance, requestLimit } from './request-limit.ts';

describe('requestAllowance', () => {
  it('allows a burst of a minute’s worth, then as many as are refilled', () => {
    let now = 0;
    const { take } = requestAllowance(60, () => now);
    for (let nth = 0; nth < 60; nth += 1) expect(take('192.0.2.1')).toBe(0);
    expect(take('192.0.2.1')).toBe(1);
    expect(take('192.0.2.2')).toBe(0);
    now = 2_000;
    expect([take('192.0.2.1'), take('192.0.2.1'), take('192.0.2.1')]).toEqual([0, 0, 1]);
  });

  it('never allows more than the burst and the refill, in any order', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), steps, (perMinute, waits) => {
        let now = 0;
        const { take } = requestAllowance(perMinute, () => now);
        let taken = 0;
        for (const wait of waits) {
          now += wait;
          if (take('192.0.2.1') === 0) taken += 1;
          expect(taken).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6);
        }
      }),
    );
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:0db8:0001:0002:3:4:5:6', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['fe80::1%eth0', 'fe80::2', true],
  ])('treats %s and %s as one network: %s', (one, other, isOne) => {
    const { take } = requestAllowance(1, () => 0);
    expect(take(one)).toBe(0);
    expect(take(other) > 0).toBe(isOne);
  });
});

describe('requestAllowance, for thousands of networks', () => {
  it('remembers the 50,000 that have asked last, and forgets whoever has not for the longest time', () => {
    const { take, wait } = requestAllowance(1, () => 0);
    const addresses = Array.from({ length: 50_000 }, (_, nth) => `10.0.${nth >> 8}.${nth & 255}`);
    const [first = '', second = '', third = ''] = addresses;
    for (const address of addresses) take(address);
    // It is refused, and has asked last.
    expect(take(first)).toBe(60);
    expect(wait(second)).toBe(60);
    take('192.0.2.1');
    expect([first, second, third, '192.0.2.1'].map(wait)).toEqual([60, 0, 60, 60]);
  });
});

describe('connectionLimit', () => {
  it('takes as many connections of an address as requests of all kinds', () => {
    let now = 0;
    const takes = connectionLimit(10, () => now);
    const taken = () => Array.from({ length: 100 }, () => takes('192.0.2.1')).filter(Boolean).length;
    expect(taken()).toBe(60);
    expect(takes('192.0.2.2')).toBe(true);
    now = 5_000;
    expect(taken()).toBe(5);
  });

  it('takes all of them without a limit', () => {
    const takes = connectionLimit(0, () => 0);
    expect(Array.from({ length: 1_000 }, () => takes('192.0.2.1'))).not.toContain(false);
  });
});

describe('requestAllowance, for IPv6', () => {
  it('gives a /48 the allowance of two clients, however many networks it uses', () => {
    let now = 0;
    const { take } = requestAllowance(60, () => now);
    const flood = (site: string) =>
      Array.from({ length: 1_000 }, (_, nth) => take(`2001:db8:${site}:${nth.toString(16)}::1`)).filter(
        (seconds) => seconds === 0,
      ).length;
    expect(flood('1')).toBe(120);
    expect(flood('2')).toBe(120);
    now = 1_000;
    expect(flood('1')).toBe(2);
  });

  it('gives a /48 no larger burst than an address where that is large', () => {
    const { take } = requestAllowance(1_200, () => 0);
    const taken = Array.from({ length: 5_000 }, (_, nth) => take(`2001:db8:1:${nth.toString(16)}::1`));
    expect(taken.filter((seconds) => seconds === 0)).toHaveLength(1_200);
  });

  it('tells the wait without taking anything', () => {
    const { take, wait } = requestAllowance(1, () => 0);
    expect([wait('192.0.2.1'), wait('192.0.2.1'), take('192.0.2.1'), wait('192.0.2.1')]).toEqual([
      0, 0, 0, 60,
    ]);
  });

  it('locks nobody out when its clock is set back', () => {
    let now = 3_600_000;
    const { take } = requestAllowance(60, () => now);
    for (let nth = 0; nth < 60; nth += 1) take('192.0.2.1');
    now = 0;
    expect(take('192.0.2.1')).toBe(1);
    now = 1_000;
    expect(take('192.0.2.1')).toBe(0);
  });
});

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

describe('requestLimit', () => {
  const LATER = { kind: 'later', wait: expect.any(Function) };
  const request = (route: string, address = '192.0.2.1', isCrowded = false) => ({
    route,
    address,
    isLocal: false,
    isCrowded,
  });

  it('answers health checks beyond the limit later, and those of a network one after the other', async () => {
    const clock = virtualClock();
    const limit = requestLimit(1, clock);
    const begun = clock.now();
    const answeredAt: number[] = [];
    for (let nth = 0; nth < 1_000; nth += 1) {
      const verdict = limit(request('/healthz'));
      if (verdict.kind === 'later') verdict.wait(() => answeredAt.push(clock.now() - begun));
    }
    await clock.advance(20_000);
    expect(answeredAt.length).toBeGreaterThan(900);
    expect(answeredAt[0]).toBe(800);
    expect(answeredAt.at(-1)).toBeGreaterThan(9_000);
    for (let nth = 0; nth < 10; nth += 1) limit(request('/healthz', '192.0.2.2'));
    expect(limit(request('/healthz', '192.0.2.2'))).toEqual(LATER);
  });

  it('lets stops beyond the limit in one after the other, and refuses none', () => {
    const limit = requestLimit(60, virtualClock());
    const verdicts = Array.from({ length: 1_000 }, () => limit(request('/my-alerts/stop')));
    expect(verdicts.filter(({ kind }) => kind === 'within')).toHaveLength(100);
    expect(verdicts.at(-1)).toEqual(LATER);
    expect(verdicts.some(({ kind }) => kind === 'refused')).toBe(false);
    expect(limit(request('/my-alerts/stop', '192.0.2.2'))).toEqual({ kind: 'within' });
    // They take nothing from what else the address may ask.
    expect(limit(request('/graphql'))).toEqual({ kind: 'within' });
  });

  it.each([
    [60, [0, 50, 100]],
    [6_000, [0, 10, 20]],
  ])(
    'while many requests of a network are held back, lets its others in one after the other: %i a minute',
    async (perMinute, turns) => {
      const clock = virtualClock();
      const heldBack = tally(100);
      const limit = requestLimit(perMinute, clock, heldBack);
      expect(limit(request('/graphql'))).toEqual({ kind: 'within' });
      for (let nth = 0; nth < 100; nth += 1) heldBack.add('192.0.2.1');
      const from = clock.now();
      const begun: number[] = [];
      const ask = (route: string) => {
        const verdict = limit(request(route));
        if (verdict.kind === 'later') verdict.wait(() => begun.push(clock.now() - from));
        return verdict.kind;
      };
      for (let nth = 0; nth < 3; nth += 1) expect(ask('/graphql')).toBe('later');
      expect(limit(request('/graphql', '192.0.2.2'))).toEqual({ kind: 'within' });
      await clock.advance(200);
      expect(begun).toEqual(turns);
      expect(ask('/data/locations.csv')).toBe('later');
      await clock.advance(0);
      expect(begun).toEqual([...turns, 200]);
      expect(heldBack.of('192.0.2.1')).toBe(100);
      for (let nth = 0; nth < perMinute; nth += 1) limit(request('/graphql'));
      expect(ask('/graphql')).toBe('refused');
    },
  );

  it('lets the requests of a crowded network in one after the other, and refuses what would wait for over two seconds', async () => {
    const clock = virtualClock();
    const limit = requestLimit(1_200, clock);
    const from = clock.now();
    const begun: number[] = [];
    const ask = () => {
      const verdict = limit(request('/graphql', '192.0.2.1', true));
      if (verdict.kind === 'later') verdict.wait(() => begun.push(clock.now() - from));
      return verdict;
    };
    const verdicts = Array.from({ length: 100 }, ask);
    expect(verdicts).toEqual([...times(41, LATER), ...times(59, { kind: 'refused', seconds: 2 })]);
    // Pages have turns of their own, and other networks theirs.
    expect(limit(request('/config.json', '192.0.2.1', true))).toEqual(LATER);
    expect(limit(request('/graphql', '192.0.2.2'))).toEqual({ kind: 'within' });
    expect(limit(request('/healthz', '192.0.2.1', true))).toEqual({ kind: 'within' });
    await clock.advance(1_000);
    expect(begun.slice(0, 3)).toEqual([0, 50, 100]);
    expect(ask()).toEqual(LATER);
    await clock.advance(2_000);
    expect(begun).toHaveLength(42);
    expect(Math.max(...begun)).toBeLessThanOrEqual(2_050);
  });

  const visit = (address: string, more: Record<string, string> = {}) => ({
    method: 'POST' as const,
    url: '/visits',
    remoteAddress: address,
    headers: more,
    payload: {},
  });

  it('refuses excess requests with the time to wait, and exempts loopback requests', async () => {
    const small = await openSmallApp({ requestLimit: 2 });
    const statuses: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) statuses.push((await small.inject(visit('192.0.2.7'))).statusCode);
    expect(statuses).toEqual([400, 400, 429]);
    const refused = await small.inject(visit('192.0.2.7'));
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json()).toEqual({ error: expect.any(String) });
    const list = { url: '/data/locations.csv', remoteAddress: '192.0.2.7' };
    expect((await small.inject(list)).statusCode).toBe(200);
    for (let nth = 0; nth < 5; nth += 1) {
      expect((await small.inject(visit('127.0.0.1'))).statusCode).toBe(400);
    }
    await small.close();
  });

  it.each([
    '/graphql/',
    '/%67raphql',
    '/graphql?a=1',
    '/graphql?',
    '/%67raphq%6c/?a=1',
    '//graphql',
    '/GraphQL',
    '/graphql;a=1',
  ])('counts %s as /graphql, or answers 404', async (url) => {
    const small = await openSmallApp({ requestLimit: 1 });
    const ask = (address: string) =>
      small.inject({
        method: 'POST',
        url: address,
        remoteAddress: '192.0.2.7',
        headers: { 'x-api-key': API_KEY },
        payload: { query: '{ __typename }' },
      });
    expect((await ask('/graphql')).statusCode).toBe(200);
    const { statusCode } = await ask(url);
    expect([429, 404]).toContain(statusCode);
    if (statusCode === 404) expect((await ask(url)).json()).toEqual({ error: 'There is nothing here.' });
    await small.close();
  });

  it('allows five times as many pages, lists and unknown addresses, in shorter bursts', async () => {
    const small = await openSmallApp({ requestLimit: 120 });
    const ask = async (url: string) => (await small.inject({ url, remoteAddress: '192.0.2.7' })).statusCode;
    const statuses: number[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      statuses.push(await ask('/config.json'), await ask('/nothing'), await ask('/data/locations.csv'));
    }
    expect(statuses.slice(0, 3)).toEqual([200, 404, 200]);
    // A little is refilled meanwhile.
    const refused = Array.from({ length: 40 }, () => ask('/config.json'));
    expect(await Promise.all(refused)).toContain(429);
    expect(await ask('/visits')).not.toBe(429);
    expect((await small.inject({ url: '/nothing', remoteAddress: '192.0.2.8' })).statusCode).toBe(404);
    await small.close();
  });

  it('answers health checks beyond that later, and never refuses them', async () => {
    const small = await openSmallApp({ requestLimit: 1 });
    const ask = async () => (await small.inject({ url: '/healthz', remoteAddress: '192.0.2.7' })).statusCode;
    for (let nth = 0; nth < 10; nth += 1) expect(await ask()).toBe(200);
    const later = ask();
    expect(await Promise.race([later, setTimeout(200, 'not yet')])).toBe('not yet');
    expect(await later).toBe(200);
    await small.close();
  });

  it('counts sign-ups too', async () => {
    const alerts = await openSmallAlerts();
    const small = await openSmallApp({
      requestLimit: 1,
      alerts: { service: alerts.service, config: alerts.config },
    });
    const signUp = () =>
      small.inject({ method: 'POST', url: '/intents/', remoteAddress: '192.0.2.7', payload: {} });
    expect([(await signUp()).statusCode, (await signUp()).statusCode]).toEqual([400, 429]);
    await small.close();
    await alerts.close();
  });

  it('limits the page of a person’s own alerts, and never the stopping of alerts', async () => {
    const alerts = await openSmallAlerts();
    const small = await openSmallApp({
      requestLimit: 1,
      alerts: { service: alerts.service, config: alerts.config },
    });
    const ask = async (method: 'GET' | 'POST', url: string) =>
      (await small.inject({ method, url, remoteAddress: '192.0.2.7' })).statusCode;
    expect(await ask('GET', '/my-alerts?token=x')).toBe(404);
    expect(await ask('GET', '/my-alerts?token=x')).toBe(429);
    expect(await ask('POST', '/my-alerts')).toBe(429);
    expect(await ask('POST', '/my-alerts/data')).toBe(429);
    expect(await ask('POST', '/my-alerts/stop?token=x')).toBe(404);
    await small.close();
    await alerts.close();
  });

  it('uses a clock that the time of day does not change', async () => {
    const small = await openSmallApp({ requestLimit: 60 });
    const ask = async () => (await small.inject(visit('192.0.2.7'))).statusCode;
    for (let nth = 0; nth < 59; nth += 1) await ask();
    small.passTime(-3_600_000);
    expect(await ask()).toBe(400);
    small.passTime(3_600_000);
    // An hour by the time of day would have refilled the allowance.
    expect([await ask(), await ask()]).toContain(429);
    await small.close();
  });

  it('counts requests through a proxy that is not trusted, also from this machine, and warns once', async () => {
    const warned: string[] = [];
    const small = await openSmallApp({ requestLimit: 2, onLog: (line) => warned.push(line) });
    const ask = async (header: Record<string, string>) =>
      (await small.inject(visit('127.0.0.1', header))).statusCode;
    expect(await ask({ 'x-forwarded-for': '192.0.2.1' })).toBe(400);
    expect(await ask({ forwarded: 'for=192.0.2.2' })).toBe(400);
    expect(await ask({ 'x-forwarded-for': '192.0.2.3' })).toBe(429);
    expect(await ask({})).toBe(400);
    expect(warned.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
    await small.close();
  });

  it('reads addresses with ports in X-Forwarded-For', async () => {
    const small = await openSmallApp({ requestLimit: 1, trustedProxies: ['10.0.0.0/8'] });
    const through = async (chain: string) =>
      (await small.inject(visit('10.1.1.1', { 'x-forwarded-for': chain }))).statusCode;
    expect(await through('192.0.2.1:4711')).toBe(400);
    expect(await through('192.0.2.1:4712')).toBe(429);
    expect(await through('198.51.100.9, 192.0.2.1:4713, 10.2.2.2:80')).toBe(429);
    expect(await through('[2001:db8::1]:4711')).toBe(400);
    expect(await through('[2001:db8::1]:4712')).toBe(429);
    await small.close();
  });

  it('believes X-Forwarded-For from trusted proxies only', async () => {
    const small = await openSmallApp({ requestLimit: 1, trustedProxies: ['10.0.0.0/8'] });
    const through = async (proxy: string, visitor: string) =>
      (await small.inject(visit(proxy, { 'x-forwarded-for': visitor }))).statusCode;
    expect(await through('10.1.1.1', '192.0.2.1')).toBe(400);
    expect(await through('10.1.1.1', '192.0.2.2')).toBe(400);
    expect(await through('10.1.1.1', '192.0.2.2')).toBe(429);
    expect(await through('198.51.100.1', '192.0.2.3')).toBe(400);
    expect(await through('198.51.100.1', '192.0.2.4')).toBe(429);
    await small.close();
  });
});
