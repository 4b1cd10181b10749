import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TwilioSettings } from '../../server/alerts/providers/twilio.ts';
import { STOPPED } from '../../server/alerts/texts/message-text.ts';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { metaSettings, type SignedRequest, signed, signedBody } from '../fixtures/alerts/meta-simulator.ts';
import { SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

const TWILIO_NUMBER = '+447700900001';
const TWILIO: TwilioSettings = {
  kind: 'twilio',
  baseUrl: 'http://127.0.0.1:9',
  accountSid: 'AC1',
  authToken: 'auth token',
  from: TWILIO_NUMBER,
  publicUrl: 'https://holidays.example',
  templates: { confirm: 'C', welcome: 'W', drop: 'D' },
};

type AlertsApp = Awaited<ReturnType<typeof openAlertsApp>>;

describe.each(STORE_KINDS)('POST /webhooks/whatsapp, in the %s store', (store) => {
  let alerts: AlertsApp;
  beforeEach(async () => {
    alerts = await openAlertsApp({
      store,
      config: (config) => ({ ...config, provider: metaSettings('http://127.0.0.1:9') }),
    });
  });
  afterEach(async () => {
    await alerts.close();
  });

  const send = (request: SignedRequest, headers: Record<string, string> = {}) =>
    alerts.app.inject({
      method: 'POST',
      url: request.url,
      headers: { ...request.headers, ...headers },
      payload: Buffer.from(request.body),
    });

  it('accepts a verification request with the right token', async () => {
    const ask = (token: string) =>
      alerts.app.inject({
        url: '/webhooks/whatsapp',
        query: { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '12345' },
      });
    const answered = await ask('a verify token for tests only');
    expect(answered.statusCode).toBe(200);
    expect(answered.body).toBe('12345');
    expect((await ask('another')).statusCode).toBe(403);
    expect((await alerts.app.inject({ url: '/webhooks/whatsapp' })).statusCode).toBe(403);
  });

  it('rejects an IP address that has tried many verify tokens, even with the right one', async () => {
    const ask = async (token: string) =>
      (
        await alerts.app.inject({
          url: '/webhooks/whatsapp',
          remoteAddress: '192.0.2.9',
          query: { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '12345' },
        })
      ).statusCode;
    expect(await ask('a verify token for tests only')).toBe(200);
    for (let nth = 0; nth < 60; nth += 1) expect(await ask(`guess ${nth}`)).toBe(403);
    expect(await ask('guess 60')).toBe(429);
    expect(await ask('a verify token for tests only')).toBe(429);
  });

  it('rejects a webhook that is unsigned or too large before reading the body', async () => {
    const address = new URL(await alerts.app.listen({ port: 0, host: '127.0.0.1' }));
    const statusOf = async (headers: string) => {
      const socket = connect(Number(address.port), '127.0.0.1');
      // The body is announced but never sent.
      socket.write(`POST /webhooks/whatsapp HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
      return (await text(socket)).split(' ')[1];
    };
    expect(await statusOf('Content-Length: 5000')).toBe('401');
    expect(await statusOf('Content-Length: 4000000\r\nX-Hub-Signature-256: sha256=0')).toBe('413');
  });

  it('rejects forged webhooks before they wait for the alerts', async () => {
    const processWebhook = vi.spyOn(alerts.service, 'processWebhook');
    const { body, url, headers } = signed({ object: 'whatsapp_business_account', entry: [] });
    const forged = { ...headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
    for (let nth = 0; nth < 20; nth += 1)
      expect((await send({ body, url, headers: forged })).statusCode).toBe(401);
    expect(processWebhook).not.toHaveBeenCalled();
    expect((await send({ body, url, headers })).statusCode).toBe(200);
    expect(processWebhook).toHaveBeenCalledTimes(1);
  });

  it('rejects an IP address that sent many wrong signatures, but never a signed webhook', async () => {
    const from = (request: ReturnType<typeof signed>, headers: Record<string, string>) =>
      alerts.app.inject({
        method: 'POST',
        url: request.url,
        remoteAddress: '192.0.2.9',
        headers: { ...request.headers, ...headers },
        payload: Buffer.from(request.body),
      });
    const forged = { 'x-hub-signature-256': 'sha256=0' };
    for (let nth = 0; nth < 100; nth += 1)
      expect((await from(signed({ entry: [] }), {})).statusCode).toBe(200);
    const statuses = new Set<number>();
    for (let nth = 0; nth < 70; nth += 1) statuses.add((await from(signed({}), forged)).statusCode);
    expect([...statuses]).toEqual([401, 429]);
  });

  it.each([
    ['no signature', { 'x-hub-signature-256': '' }],
    ['another signature', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }],
    ['a signature of another kind', { 'x-hub-signature-256': `sha1=${'0'.repeat(40)}` }],
  ])('rejects %s', async (_name, headers) => {
    expect((await send(signed({}), headers)).statusCode).toBe(401);
  });

  it('rejects a changed body', async () => {
    const request = signed({ messages: [] });
    expect(
      (await send({ ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) })).statusCode,
    ).toBe(401);
  });

  it('ignores unknown events, and responds with 503 while the store is unavailable', async () => {
    expect(
      (await send(signed({ messages: [{ id: 'a', type: 'image' }], statuses: [{ id: 'b', status: 'new' }] })))
        .statusCode,
    ).toBe(200);
    const { database } = alerts.parts.store;
    const { write } = database;
    database.write = () => {
      throw new Error('disk I/O error');
    };
    const stop = signed({ messages: [{ id: 'c', from: SOMEBODY, text: { body: 'STOP' } }] });
    expect((await send(stop)).statusCode).toBe(503);
    database.write = write;
    expect((await send(stop)).statusCode).toBe(200);
    expect((await alerts.parts.store.sql.get`select count(*) as count from alert_suppression`)?.count).toBe(
      1,
    );
  });

  it('rejects a signed body that is not an update, and does not log it', async () => {
    const bodies = [`{"entry":[{"id":"${SOMEBODY}"`, `"${SOMEBODY}"`, SOMEBODY];
    for (const body of bodies) expect((await send(signedBody(Buffer.from(body)))).statusCode).toBe(400);
    await send(signed({ messages: [{ id: SOMEBODY, from: SOMEBODY, text: SOMEBODY }, SOMEBODY] }));
    expect(alerts.logged.join('')).not.toContain('900123');
  });

  it('handles sign-ups between the messages of a large webhook', async () => {
    const text = { body: 'I would like to know more about it. '.repeat(28) };
    const messages = Array.from({ length: 300 }, (_, nth) => ({
      id: `${nth}`,
      from: `4477009001${nth}`,
      text,
    }));
    const ended: string[] = [];
    const webhook = send(signed({ messages })).then(({ statusCode }) => ended.push(`webhook ${statusCode}`));
    const signUp = alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '').then(() => ended.push('sign-up'));
    await Promise.all([webhook, signUp]);
    expect(ended).toEqual(['sign-up', 'webhook 200']);
  });

  it('processes all events of a large webhook, each once', async () => {
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    const others = Array.from({ length: 500 }, (_, nth) => ({
      id: `${nth}`,
      from: '447700900999',
      text: { body: 'hi' },
    }));
    const yes = { id: 'yes', from: SOMEBODY, text: { body: 'YES' } };
    const stop = { id: 'stop', from: SOMEBODY, text: { body: 'STOP' } };
    const update = signed({ messages: [yes, ...others, ...others, yes, stop] });
    for (let count = 0; count < 2; count += 1) expect((await send(update)).statusCode).toBe(200);
    const { sql } = alerts.parts.store;
    expect((await sql.get`select count(*) as count from alert_event`)?.count).toBe(502);
    expect((await sql.get`select state from alert_watch`)?.state).toBe('paused');
    expect((await alerts.messages()).filter(({ text }) => text === STOPPED)).toHaveLength(1);
  });

  it('processes a repeated message once', async () => {
    const itemKey = alerts.itemKeys[0] ?? '';
    await alerts.signUp(SOMEBODY, itemKey);
    const list = signed({ messages: [{ id: 'once', from: SOMEBODY, text: { body: 'LIST' } }] });
    for (let count = 0; count < 3; count += 1) expect((await send(list)).statusCode).toBe(200);
    expect((await alerts.messages()).filter(({ kind }) => kind === 'reply')).toHaveLength(1);
  });

  it('stops a number by its user ID alone, once a message has contained both', async () => {
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    await send(
      signed({ messages: [{ id: '1', from: SOMEBODY, from_user_id: 'GB.77', text: { body: 'YES' } }] }),
    );
    await send(signed({ messages: [{ id: '2', from_user_id: 'GB.77', text: { body: 'stop' } }] }));
    expect((await alerts.parts.store.sql.get`select state from alert_watch`)?.state).toBe('paused');
    expect(await alerts.service.readNotices(0)).toEqual([]);
  });

  it('notifies the operator of a stop from an unknown user, and respects it once the user is known', async () => {
    await send(signed({ messages: [{ id: '1', from_user_id: 'GB.88', text: { body: 'stop' } }] }));
    expect(await alerts.service.readNotices(0)).toMatchObject([{ kind: 'unmatched stop' }]);
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    await send(
      signed({ messages: [{ id: '2', from: SOMEBODY, from_user_id: 'GB.88', text: { body: 'hello' } }] }),
    );
    await alerts.parts.dispatcher.drain();
    expect((await alerts.messages()).every(({ state }) => state === 'dropped')).toBe(true);
  });

  it('ignores messages to another number of the business, and responds with 200', async () => {
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    const update = (phoneNumberId: string, value: object) =>
      signed({
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '447700900002', phone_number_id: phoneNumberId },
        contacts: [{ profile: { name: 'A' }, wa_id: SOMEBODY }],
        ...value,
      });
    const state = async () => (await alerts.parts.store.sql.get`select state from alert_watch`)?.state;
    const stop = {
      messages: [{ id: 'm1', from: SOMEBODY, timestamp: '1', type: 'text', text: { body: 'STOP' } }],
    };
    const preference = {
      user_preferences: [
        { wa_id: SOMEBODY, category: 'marketing_messages', value: 'stop', timestamp: 1_900_000_000 },
      ],
    };
    for (const value of [stop, preference])
      expect((await send(update('another', value))).statusCode).toBe(200);
    expect(await state()).toBe('asked');
    expect((await send(update('1', preference))).statusCode).toBe(200);
    expect(await state()).toBe('paused');
  });

  it('ignores the delivery receipts of another number of the business', async () => {
    await alerts.watch(SOMEBODY, alerts.itemKeys[0] ?? '');
    const token = (await alerts.parts.store.sql.get`select token from alert_message where token is not null`)
      ?.token;
    const receive = (phoneNumberId: string) =>
      send(
        signed({
          metadata: { display_phone_number: '447700900002', phone_number_id: phoneNumberId },
          statuses: [
            {
              id: 'wamid.1',
              status: 'delivered',
              timestamp: '1',
              recipient_id: SOMEBODY,
              biz_opaque_callback_data: token,
            },
          ],
        }),
      );
    const states = async () => (await alerts.messages()).map(({ state }) => state);
    expect((await receive('another')).statusCode).toBe(200);
    expect(await states()).not.toContain('delivered');
    await receive('1');
    expect(await states()).toContain('delivered');
  });

  it("stops a user who hides their number, if an earlier message's response identified them", async () => {
    await alerts.watch(SOMEBODY, alerts.itemKeys[0] ?? '');
    const { sql } = alerts.parts.store;
    const metadata = { display_phone_number: '447700900001', phone_number_id: '1' };
    const token = (await sql.get`select token from alert_message where token is not null`)?.token;
    await send(
      signed({
        metadata,
        contacts: [{ profile: { username: '@sam' }, user_id: 'GB.13491208655302741918' }],
        statuses: [
          {
            id: 'wamid.1',
            status: 'delivered',
            timestamp: '1',
            recipient_user_id: 'GB.13491208655302741918',
            biz_opaque_callback_data: token,
          },
        ],
      }),
    );
    await send(
      signed({
        metadata,
        contacts: [{ profile: { username: '@sam' }, user_id: 'GB.13491208655302741918' }],
        messages: [
          {
            id: 'wamid.2',
            from_user_id: 'GB.13491208655302741918',
            timestamp: '1900000000',
            type: 'text',
            text: { body: 'STOP' },
          },
        ],
      }),
    );
    expect((await sql.get`select state from alert_watch`)?.state).toBe('paused');
    expect(await alerts.service.readNotices(0)).toEqual([]);
  });

  it('keeps a stop if a user without a visible number gets another user ID', async () => {
    const stop = { id: '1', from_user_id: 'GB.11', type: 'text', text: { body: 'STOP' } };
    await send(signed({ messages: [stop] }));
    const system = { type: 'user_changed_user_id', user_id: 'GB.22', previous_user_id: 'GB.11' };
    await send(signed({ messages: [{ id: '2', type: 'system', system }] }));
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    await send(
      signed({ messages: [{ id: '3', from: SOMEBODY, from_user_id: 'GB.22', text: { body: 'hello' } }] }),
    );
    await alerts.parts.dispatcher.drain();
    expect((await alerts.messages()).every(({ state }) => state === 'dropped')).toBe(true);
  });

  it('notifies the operator of stops by unknown users once an hour', async () => {
    const stop = async (user: string) => {
      await send(signed({ messages: [{ id: user, from_user_id: user, text: { body: 'stop' } }] }));
      alerts.passTime(60_000);
    };
    for (let nth = 0; nth < 60; nth += 1) await stop(`GB.${nth}`);
    expect(await alerts.service.readNotices(0)).toHaveLength(1);
    await stop('GB.60');
    expect(await alerts.service.readNotices(0)).toHaveLength(2);
  });

  it('processes a stop from the provider’s own settings', async () => {
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    const preference = { wa_id: SOMEBODY, category: 'marketing_messages', value: 'stop', timestamp: 1 };
    await send(signed({ contacts: [{ wa_id: SOMEBODY }], user_preferences: [preference] }));
    expect((await alerts.parts.store.sql.get`select state from alert_watch`)?.state).toBe('paused');
  });
});

describe('POST /webhooks/whatsapp from Twilio', () => {
  let alerts: AlertsApp;
  beforeEach(async () => {
    alerts = await openAlertsApp({ config: (config) => ({ ...config, provider: TWILIO }) });
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
  });
  afterEach(() => alerts.close());

  const send = (fields: Record<string, string>) => {
    const url = '/webhooks/whatsapp';
    const names = Object.keys(fields).toSorted();
    const text = `${TWILIO.publicUrl}${url}${names.map((name) => name + fields[name]).join('')}`;
    const signature = createHmac('sha1', TWILIO.authToken).update(text).digest('base64');
    return alerts.app.inject({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  };
  const stop = {
    SmsMessageSid: 'SM1',
    MessageSid: 'SM1',
    AccountSid: 'AC1',
    WaId: SOMEBODY,
    SmsStatus: 'received',
    From: `whatsapp:+${SOMEBODY}`,
    To: `whatsapp:${TWILIO_NUMBER}`,
    Body: 'STOP',
  };
  const state = async () => (await alerts.parts.store.sql.get`select state from alert_watch`)?.state;

  it('responds with an empty TwiML document', async () => {
    const { statusCode, headers, body } = await send(stop);
    expect({ statusCode, type: headers['content-type'], body }).toEqual({
      statusCode: 200,
      type: 'text/xml; charset=utf-8',
      body: '<Response></Response>',
    });
    expect(await state()).toBe('paused');
  });

  it('pauses and resumes without a reply of ours where Twilio has handled the opt-out itself', async () => {
    await send({ ...stop, Body: 'Revoke', OptOutType: 'STOP' });
    expect(await state()).toBe('paused');
    expect((await alerts.messages()).filter(({ kind }) => kind === 'reply')).toEqual([]);
    alerts.passTime(1_000);
    await send({ ...stop, MessageSid: 'SM2', Body: 'Unstop', OptOutType: 'START' });
    expect(await state()).toBe('asked');
    const replies = (await alerts.messages()).length;
    await send({ ...stop, MessageSid: 'SM3', Body: 'HELP', OptOutType: 'HELP' });
    expect(await alerts.messages()).toHaveLength(replies);
  });

  it('ignores messages to another number of the business, and responds with 200', async () => {
    expect((await send({ ...stop, To: 'whatsapp:+447700900009' })).statusCode).toBe(200);
    expect(await state()).toBe('asked');
  });
});
