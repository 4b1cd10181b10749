import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PERSONAL_DATA_TABLES } from '../../server/alerts/tables/erasure.ts';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { dramaNumber } from '../fixtures/alerts/drama-numbers.ts';
import { signUpBody } from '../fixtures/alerts/sign-up-body.ts';
import { openSmallAlerts, SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { openSmallApp } from '../fixtures/small-app.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

type AlertsApp = Awaited<ReturnType<typeof openAlertsApp>>;

const FAILED = { message: 'Something went wrong. Please try again.' };
const INVALID_PHONE = { message: 'Please enter a valid UK phone number' };

function post(
  { app }: AlertsApp,
  payload: unknown,
  headers: Record<string, string> = {},
  remoteAddress = '198.51.100.7',
) {
  return app.inject({
    method: 'POST',
    url: '/intents',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    remoteAddress,
  });
}

describe.each(STORE_KINDS)('POST /intents, in the %s store', (store) => {
  let alerts: AlertsApp;
  let itemKey: string;
  beforeEach(async () => {
    alerts = await openAlertsApp({
      store,
      variables: { ALERT_LIMIT_ADDRESS: '6', ALERT_LIMIT_NUMBER: '3', ALERT_LIMIT_BLOCK: '4' },
    });
    itemKey = alerts.itemKeys[0] ?? '';
  });
  afterEach(() => alerts.close());

  it('accepts a sign-up, of whose package it reads only the key', async () => {
    const response = await post(alerts, signUpBody('07700 900123', itemKey));
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ok' });
    const watch = await alerts.parts.store.sql.get`select item_key, resort from alert_watch`;
    expect(watch?.item_key).toBe(itemKey);
    expect(watch?.resort).not.toContain('Elsewhere');
  });

  const other = (change: (body: Record<string, Record<string, unknown>>) => void) => {
    const body = structuredClone(signUpBody(SOMEBODY, 'KEY')) as unknown as Record<
      string,
      Record<string, unknown>
    >;
    change(body);
    return JSON.stringify(body).replace('"KEY"', () => JSON.stringify(itemKey));
  };

  it.each([
    ['broken JSON', () => '{"user":', 400],
    ['an array', () => '[]', 400],
    ['another platform', () => other((body) => Object.assign(body.user ?? {}, { platform: 'sms' })), 400],
    ['another intent', () => other((body) => Object.assign(body, { intentName: 'hello' })), 400],
    ['no package', () => other((body) => Object.assign(body, { intent: {} })), 400],
    [
      'a number that is not text',
      () => other((body) => Object.assign(body.user ?? {}, { channel_id: 447700900123 })),
      400,
    ],
    [
      'a search with more than parameters',
      () =>
        other((body) =>
          Object.assign(body.intent ?? {}, { search: 'date=2027-05-01 https://elsewhere.example' }),
        ),
      400,
    ],
    ['text', () => 'hello', 415],
  ])('rejects %s', async (name, payload, status) => {
    const headers: Record<string, string> = name === 'text' ? { 'content-type': 'text/plain' } : {};
    expect((await post(alerts, payload(), headers)).statusCode).toBe(status);
    expect(await alerts.messages()).toEqual([]);
  });

  it.each([
    '',
    '0770090012',
    'not a number',
    '442079460123',
    '0447700900123',
    '4477009001234',
    '+1 202 555 0123',
    '070 1234 5678',
    '07600 123456',
  ])('responds to %j with the message of the specification', async (phone) => {
    const response = await post(alerts, signUpBody(phone, itemKey));
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual(INVALID_PHONE);
    expect(await alerts.messages()).toEqual([]);
  });

  it('does not reveal what is watched when a number or its block has reached a limit', async () => {
    let requests = 0;
    const codesOf = async (number: string, keys: readonly number[]) => {
      const codes: number[] = [];
      for (const key of keys) {
        requests += 1;
        const body = signUpBody(number, alerts.itemKeys[key] ?? '');
        codes.push((await post(alerts, body, {}, `192.0.2.${requests}`)).statusCode);
      }
      return codes;
    };
    const [first, second] = [dramaNumber(0), dramaNumber(1)];
    expect(await codesOf(first, [0, 1, 1])).toEqual([200, 200, 200]);
    expect(await codesOf(second, [0, 1])).toEqual([200, 200]);
    // Both numbers are in one block, which has reached its limit of four.
    expect(await codesOf(first, [0, 1, 7, 8])).toEqual([429, 429, 429, 429]);
    alerts.passTime(3_600_000);
    // Each number may sign up three times a day.
    expect(await codesOf(first, [2, 0, 7])).toEqual([200, 429, 429]);
    expect(await codesOf(second, [0, 2, 1, 7])).toEqual([200, 200, 429, 429]);
  });

  it('rejects a package that is not on sale or has departed', async () => {
    expect(
      (await post(alerts, signUpBody(SOMEBODY, 'SUN:H-1:LGW:2027-05-01:7:AI:DBL:9-9-9'))).json(),
    ).toEqual(FAILED);
    alerts.passTime(100 * 86_400_000);
    expect((await post(alerts, signUpBody(SOMEBODY, itemKey))).statusCode).toBe(404);
  });

  it('limits sign-ups by IP address', async () => {
    for (let count = 0; count < 6; count += 1) {
      expect((await post(alerts, signUpBody(SOMEBODY, itemKey))).statusCode).toBe(200);
    }
    const refused = await post(alerts, signUpBody(SOMEBODY, itemKey));
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toEqual(FAILED);
    expect(refused.headers['retry-after']).toBe('3600');
    expect((await post(alerts, signUpBody(SOMEBODY, itemKey), {}, '198.51.100.8')).statusCode).toBe(200);
    alerts.passTime(3_600_000);
    expect((await post(alerts, signUpBody(SOMEBODY, itemKey))).statusCode).toBe(200);
  });

  it('counts an IPv6 /64 as one IP address', async () => {
    for (const end of ['1', 'ffff:1', 'a:b:c:d', '2', '3', '4']) {
      const address = end.includes('a:b') ? `2001:db8:0:1:${end}` : `2001:db8:0:1::${end}`;
      expect((await post(alerts, signUpBody(SOMEBODY, itemKey), {}, address)).statusCode).toBe(200);
    }
    expect((await post(alerts, signUpBody(SOMEBODY, itemKey), {}, '2001:db8:0:1::9')).statusCode).toBe(429);
    expect((await post(alerts, signUpBody(SOMEBODY, itemKey), {}, '2001:db8:0:2::9')).statusCode).toBe(200);
  });

  it('limits sign-ups by number, and by its block of a thousand numbers', async () => {
    const at = (count: number) => `192.0.2.${count}`;
    for (let count = 0; count < 3; count += 1) {
      const response = await post(alerts, signUpBody(SOMEBODY, alerts.itemKeys[count] ?? ''), {}, at(count));
      expect(response.statusCode).toBe(200);
    }
    expect((await post(alerts, signUpBody(SOMEBODY, alerts.itemKeys[9] ?? ''), {}, at(9))).statusCode).toBe(
      429,
    );
    expect((await post(alerts, signUpBody(dramaNumber(1), itemKey), {}, at(10))).statusCode).toBe(200);
    expect((await post(alerts, signUpBody(dramaNumber(2), itemKey), {}, at(11))).statusCode).toBe(429);
    // The rejected number is not stored.
    expect(await alerts.parts.store.sql.get`select count(*) as count from alert_contact`).toEqual({
      count: 2,
    });
  });

  it('accepts requests from other origins, without credentials', async () => {
    const preflight = await alerts.app.inject({
      method: 'OPTIONS',
      url: '/intents',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect((await post(alerts, signUpBody(SOMEBODY, itemKey))).headers['access-control-allow-origin']).toBe(
      '*',
    );
  });

  it('stores and logs no number in plain text', async () => {
    await post(alerts, signUpBody('+44 7700 900123', itemKey));
    await alerts.parts.dispatcher.drain();
    await alerts.say(SOMEBODY, 'YES');
    const { database } = alerts.parts.store;
    await database.overwriteDeleted(PERSONAL_DATA_TABLES);
    const tables = ['alert_contact', 'alert_consent', 'alert_watch', 'alert_message'];
    const kept =
      store === 'embedded'
        ? readFileSync(`${alerts.dataDir}/inventory.sqlite`).toString('latin1')
        : JSON.stringify(
            await Promise.all(tables.map((table) => database.prepare(`select * from ${table}`).all())),
          );
    for (const text of [kept, alerts.logged.join('')]) {
      expect(text).not.toMatch(/7700\D{0,2}900\D{0,2}123/);
      expect(text).not.toContain(Buffer.from(SOMEBODY).toString('base64').slice(0, 12));
    }
  });

  // A full disk can be simulated only for the embedded store.
  if (store === 'embedded') {
    it('responds with 503 while the disk is full, keeps acknowledged sign-ups, and recovers', async () => {
      const { database } = alerts.parts.store;
      expect((await post(alerts, signUpBody(SOMEBODY, itemKey))).statusCode).toBe(200);
      const pages = Number((await database.prepare('pragma page_count').get())?.page_count);
      await database.exec(`pragma max_page_count = ${pages}`);
      let refused = 0;
      let taken = 0;
      for (const [index, key] of alerts.itemKeys.slice(0, 120).entries()) {
        const phone = dramaNumber(index + 200);
        await alerts.parts.store.sql.run`delete from alert_sign_up_count`;
        const { statusCode } = await post(alerts, signUpBody(phone, key), {}, `192.0.2.${index}`);
        expect([200, 503]).toContain(statusCode);
        if (statusCode === 200) taken += 1;
        else refused += 1;
      }
      expect(refused).toBeGreaterThan(0);
      expect((await alerts.parts.store.sql.get`select count(*) as count from alert_watch`)?.count).toBe(
        taken + 1,
      );
      await database.exec('pragma max_page_count = 1000000');
      await alerts.parts.store.sql.run`delete from alert_sign_up_count`;
      expect((await post(alerts, signUpBody(dramaNumber(999), itemKey), {}, '192.0.2.250')).statusCode).toBe(
        200,
      );
    });
  }

  it.each(['begin', 'commit'])(
    'responds with 503 and stores nothing if %s fails with an I/O error',
    async (statement) => {
      const { database } = alerts.parts.store;
      const { write } = database;
      database.write = (lock, work) => {
        if (statement === 'begin') throw new Error('disk I/O error');
        return write(lock, async (tx) => {
          await work(tx);
          throw new Error('disk I/O error');
        });
      };
      const failed = await post(alerts, signUpBody(SOMEBODY, itemKey));
      expect(failed.statusCode).toBe(503);
      expect(failed.json()).toEqual({ ...FAILED, code: 'UNAVAILABLE' });
      database.write = write;
      expect(await alerts.messages()).toEqual([]);
      expect((await post(alerts, signUpBody(SOMEBODY, itemKey))).statusCode).toBe(200);
      expect(await alerts.messages()).toHaveLength(1);
    },
  );
});

describe.each(STORE_KINDS)('The local outbox, in the %s store', (store) => {
  let alerts: AlertsApp;
  beforeAll(async () => {
    alerts = await openAlertsApp({ store });
  });
  afterAll(() => alerts.close());

  const local = { host: 'localhost:3000' };
  const form = (url: string, fields: Record<string, string>) =>
    alerts.app.inject({
      method: 'POST',
      url,
      headers: { ...local, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
  const page = async () => (await alerts.app.inject({ url: '/outbox', headers: local })).body;

  it('shows the confirmation request, YES, a price drop and STOP', async () => {
    const one = { contact: '1' };
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    await alerts.parts.dispatcher.drain();
    expect(await page()).toContain('Reply YES');
    expect((await form('/outbox/answer', { contact: '1', text: 'YES' })).statusCode).toBe(303);
    alerts.passTime(10 * 3_600_000);
    expect((await form('/outbox/drop', one)).headers.location).toBe('/outbox?news=dropped#answer-1');
    expect(await page()).toContain('Hotel &quot;Señorío&quot; del Sol');
    expect((await form('/outbox/drop', one)).headers.location).toBe('/outbox?news=dropped#answer-1');
    expect((await page()).match(/Price drop to /g)).toHaveLength(2);
    const [, payload = ''] = /name="payload" value="(see:\d+)"/.exec(await page()) ?? [];
    await form('/outbox/answer', { contact: '1', text: 'See it', payload });
    expect(await page()).toMatch(/holiday=\S+<\/a>/);
    await form('/outbox/answer', { contact: '1', text: 'STOP' });
    expect(await page()).toContain('START brings them back');
    expect(await page()).toContain('We send nothing more to this phone');
    expect((await form('/outbox/drop', one)).headers.location).toBe('/outbox?news=refused#answer-1');
  });

  it('shows a message that waits until morning, states when it is due, and sends it early on request', async () => {
    const night = await openAlertsApp({ store });
    night.passTime(10 * 3_600_000);
    await night.signUp(SOMEBODY, night.itemKeys[0] ?? '');
    await night.parts.dispatcher.drain();
    const shown = async () => (await night.app.inject({ url: '/outbox', headers: local })).body;
    expect(await shown()).toContain('Reply YES');
    expect(await shown()).toContain('Waits until 2 Apr, 07:00. Quiet hours');
    const payload = new URLSearchParams({ contact: '1' }).toString();
    const headers = { ...local, 'content-type': 'application/x-www-form-urlencoded' };
    const send = () => night.app.inject({ method: 'POST', url: '/outbox/send', headers, payload });
    expect((await send()).headers.location).toBe('/outbox?news=sent#answer-1');
    expect(await shown()).not.toContain('Waits until');
    expect((await night.messages())[0]).toMatchObject({ kind: 'confirm', state: 'delivered' });
    await night.close();
  });

  it('escapes texts, and contains no script', async () => {
    const response = await alerts.app.inject({ url: '/outbox?news=<b>', headers: local });
    expect(response.body).not.toMatch(/<script|style=|<b>/);
    expect(response.headers['content-security-policy']).toContain("script-src 'self'");
    expect((await alerts.app.inject({ url: '/outbox/outbox.css', headers: local })).statusCode).toBe(200);
  });

  it.each([
    ['another machine', {}, '198.51.100.7'],
    ['a foreign name that resolves to this machine', { host: 'stranger.example' }, '127.0.0.1'],
    ['a proxy', { 'x-forwarded-for': '198.51.100.7' }, '127.0.0.1'],
    ['another site', { origin: 'https://stranger.example' }, '127.0.0.1'],
    ['a link from another site', { 'sec-fetch-site': 'cross-site' }, '127.0.0.1'],
  ])('responds with 404 to %s', async (_name, headers, remoteAddress) => {
    const request = { url: '/outbox', headers: { ...local, ...headers }, remoteAddress };
    expect((await alerts.app.inject(request)).statusCode).toBe(404);
    expect((await alerts.app.inject({ ...request, method: 'POST', url: '/outbox/answer' })).statusCode).toBe(
      404,
    );
  });

  it.each([
    ['in production', { NODE_ENV: 'production' }],
    [
      'with a provider',
      {
        ALERT_PROVIDER: 'meta',
        META_PHONE_NUMBER_ID: '1',
        META_TOKEN: 'x',
        META_APP_SECRET: 'x',
        META_VERIFY_TOKEN: 'x',
      },
    ],
  ])('is off %s', async (_name, variables) => {
    const off = await openAlertsApp({ store, variables });
    expect((await off.app.inject({ url: '/outbox', headers: local })).statusCode).toBe(404);
    await off.close();
  });
});

it.each([
  ['required', true],
  ['none', false],
])(
  'The page’s configuration with ALERT_CONFIRMATION=%s states whether alerts need a YES: %s',
  async (ALERT_CONFIRMATION, needed) => {
    const alerts = await openSmallAlerts({ variables: { ALERT_CONFIRMATION } });
    const small = await openSmallApp({ alerts: { service: alerts.service, config: alerts.config } });
    expect((await small.app.inject({ url: '/config.json' })).json()).toMatchObject({ alertsNeedYes: needed });
    await small.close();
    await alerts.close();
  },
);

it('limits requests to exactly the routes that the operations reference lists', async () => {
  const guide = readFileSync(new URL('../../docs/operations-reference.md', import.meta.url), 'utf8');
  const listed = /^\| requests to (.+?) +\|.*REQUEST_LIMIT/m.exec(guide)?.[1] ?? '';
  const urls = [...listed.matchAll(/`([^`]+)`/g)].map(([, url = '']) => url);
  const alerts = await openSmallAlerts({});
  const small = await openSmallApp({
    alerts: { service: alerts.service, config: alerts.config },
    requestLimit: 1,
    trustedProxies: ['loopback'],
  });
  const statusOf = async (method: 'GET' | 'POST', url: string) =>
    (await small.app.inject({ method, url, headers: { 'x-forwarded-for': '192.0.2.1' } })).statusCode;
  await statusOf('POST', '/graphql');
  expect(await Promise.all(urls.map((url) => statusOf('POST', url)))).toEqual(urls.map(() => 429));
  const unlimited = ['/healthz', '/readyz', '/metrics', '/my-alerts/stop'].flatMap((url) => [url, url, url]);
  expect(await Promise.all(unlimited.map((url) => statusOf('GET', url)))).not.toContain(429);
  expect(await statusOf('GET', '/privacy')).toBe(200);
  await small.close();
  await alerts.close();
});

describe('The privacy page', () => {
  const read = async (variables: Record<string, string>) => {
    const alerts = await openAlertsApp({
      variables,
    });
    const response = await alerts.app.inject({ url: '/privacy' });
    const style = await alerts.app.inject({ url: '/plain.css' });
    await alerts.close();
    expect([response.statusCode, style.statusCode]).toEqual([200, 200]);
    return response.body;
  };

  it('describes the default settings, without scripts', async () => {
    const page = await read({});
    expect(page).toContain('STOP');
    expect(page).toContain('If you don’t reply YES, we won’t message you again');
    expect(page).toContain('Skylark Travel Ltd runs Skylark');
    expect(page).toContain('Write to us at 1 Quay Street, Bristol BS1 4DJ.');
    expect(page).toContain('<a href="mailto:hello@skylark.example">');
    expect(page).toContain('is your consent.');
    expect(page).toContain('none between 9pm and 8am');
    expect(page).toContain('by email once more after 7 days, and otherwise only after 90');
    expect(page).toContain('In the browser, it starts immediately');
    expect(page).toContain('the number 30 days later');
    expect(page).not.toMatch(/<script|style=/);
  });

  it('follows the settings', async () => {
    const page = await read({
      ALERT_CONFIRMATION: 'none',
      ALERT_QUIET_HOURS: '22:30-07:05',
      ALERT_RETENTION_DAYS: '2',
      CONVERSATION_ENDPOINT: 'https://talk.example/base',
      ALERT_PROVIDER: 'meta',
      META_PHONE_NUMBER_ID: '1',
      META_TOKEN: 'x',
      META_APP_SECRET: 'x',
      META_VERIFY_TOKEN: 'x',
    });
    expect(page).not.toContain('reply YES');
    expect(page).toContain('none between 10.30pm and 7.05am');
    expect(page).toContain('the number 2 days later');
    expect(page).toContain('handled by talk.example');
    expect(page).toContain('travel through WhatsApp');
    expect(await read({ ALERT_QUIET_HOURS: 'none' })).toContain('one message a day at most.');
  });
});

describe('In production without a provider', () => {
  it('rejects sign-ups, because their messages would reach no one', async () => {
    const alerts = await openAlertsApp({
      variables: { NODE_ENV: 'production' },
    });
    const refused = await post(alerts, signUpBody(SOMEBODY, alerts.itemKeys[0] ?? ''));
    expect([refused.statusCode, refused.json()]).toEqual([
      503,
      { ...FAILED, error: 'Alerts are not offered on this channel.' },
    ]);
    // Every 503 states when to retry.
    expect(refused.headers['retry-after']).toBe('3600');
    expect(await alerts.messages()).toEqual([]);
    await alerts.close();
  });
});
