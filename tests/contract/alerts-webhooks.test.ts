import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { metaSettings, signed, signedBody } from '../fixtures/alerts/meta-simulator.ts';
import { SOMEBODY } from '../fixtures/alerts/small-alerts.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

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
    vi.useRealTimers();
    await alerts.close();
  });

  const send = (request: ReturnType<typeof signed>, headers: Record<string, string> = {}) =>
    alerts.app.inject({
      method: 'POST',
      url: request.url,
      headers: { ...request.headers, ...headers },
      payload: Buffer.from(request.body),
    });

  it('answers a challenge with the right verify token', async () => {
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

  it('refuses an address that has tried many verify tokens, also with the right one', async () => {
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

  it('refuses a webhook without a signature, or too large, before it has read the body', async () => {
    const address = new URL(await alerts.app.listen({ port: 0, host: '127.0.0.1' }));
    const statusOf = async (headers: string) => {
      const socket = connect(Number(address.port), '127.0.0.1');
      // The announced body never arrives.
      socket.write(`POST /webhooks/whatsapp HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
      return (await text(socket)).split(' ')[1];
    };
    expect(await statusOf('Content-Length: 5000')).toBe('401');
    expect(await statusOf('Content-Length: 4000000\r\nX-Hub-Signature-256: sha256=0')).toBe('413');
  });

  it('refuses forged webhooks before they wait for the alerts, and frees their places at once', async () => {
    const processWebhook = vi.spyOn(alerts.service, 'processWebhook');
    const { body, url, headers } = signed({ object: 'whatsapp_business_account', entry: [] });
    const forged = { ...headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
    for (let nth = 0; nth < 20; nth += 1)
      expect((await send({ body, url, headers: forged })).statusCode).toBe(401);
    expect(processWebhook).not.toHaveBeenCalled();
    expect((await send({ body, url, headers })).statusCode).toBe(200);
    expect(processWebhook).toHaveBeenCalledTimes(1);
  });

  it('refuses a webhook unread while 16 others of its address do not end', async () => {
    const address = new URL(await alerts.app.listen({ port: 0, host: '127.0.0.1' }));
    const head =
      'POST /webhooks/whatsapp HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nContent-Length: 9\r\n\r\n';
    const upload = () => {
      const socket = connect(Number(address.port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(head);
      return socket;
    };
    const uploads = Array.from({ length: 21 }, upload);
    const refused: string[] = [];
    for (const socket of uploads) {
      socket.on('data', (answer: Buffer) => refused.push(answer.toString().split(' ')[1] ?? ''));
    }
    await vi.waitFor(() => expect(refused).toEqual(['503', '503', '503', '503', '503']));
    for (const socket of uploads) socket.destroy();
    await vi.waitFor(async () => expect((await send(signed({ entry: [] }))).statusCode).toBe(200));
  });

  it('refuses large webhooks unread while two others of their address are in progress or were not the provider’s', async () => {
    const { port } = new URL(await alerts.app.listen({ port: 0, host: '127.0.0.1' }));
    const upload = (bytes: number, body = '') => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `POST /webhooks/whatsapp HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nContent-Length: ${bytes}\r\n\r\n${body}`,
      );
      return socket;
    };
    const statusOf = async (socket: Socket) => (await once(socket, 'data')).toString().split(' ')[1];
    const [first, second] = [upload(100_000), upload(100_000)];
    expect(await statusOf(upload(100_000))).toBe('503');
    // Small ones have places of their own.
    expect(await statusOf(upload(9, '{"a":"b"}'))).toBe('401');
    for (const socket of [first, second]) socket.write('x'.repeat(100_000));
    expect(await Promise.all([first, second].map(statusOf))).toEqual(['401', '401']);
    expect(await statusOf(upload(100_000))).toBe('503');
    const large = signed({ entry: [], padding: 'x'.repeat(100_000) });
    await vi.waitFor(async () => expect((await send(large)).statusCode).toBe(200), 3_000);
    // The provider's free their place at once.
    for (let nth = 0; nth < 5; nth += 1) expect((await send(large)).statusCode).toBe(200);
  });

  it('counts the webhooks of a /48 together, and leaves the provider’s address to itself', async () => {
    const forwarded = await openAlertsApp({
      store,
      config: (config) => ({ ...config, provider: metaSettings('http://127.0.0.1:9') }),
      trustProxy: 'loopback',
    });
    const { port } = new URL(await forwarded.app.listen({ port: 0, host: '127.0.0.1' }));
    const statuses: string[] = [];
    const sockets = Array.from({ length: 80 }, (_, nth) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.on('data', (bytes: Buffer) => statuses.push(bytes.toString().split(' ')[1] ?? ''));
      socket.write(
        `POST /webhooks/whatsapp HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8:1:${nth}::1\r\nX-Hub-Signature-256: x\r\nContent-Length: 9\r\n\r\n`,
      );
      return socket;
    });
    await vi.waitFor(() => expect(statuses).toHaveLength(16));
    expect(new Set(statuses)).toEqual(new Set(['503']));
    const ofProvider = signed({ entry: [] });
    const delivered = await fetch(`http://127.0.0.1:${port}${ofProvider.url}`, {
      method: 'POST',
      headers: { ...ofProvider.headers, 'x-forwarded-for': '2001:db8:2::1' },
      body: Buffer.from(ofProvider.body),
    });
    expect(delivered.status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await forwarded.close();
  });

  it('ends a webhook that does not arrive within five seconds', async () => {
    const { port } = new URL(await alerts.app.listen({ port: 0, host: '127.0.0.1' }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = once(alerts.app.server, 'request') as Promise<[IncomingMessage]>;
    const client = connect(Number(port), '127.0.0.1');
    client.on('error', () => {});
    client.write(
      'POST /webhooks/whatsapp HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: x\r\nContent-Length: 9\r\n\r\n1',
    );
    const [{ socket }] = await asked;
    // What follows from the request at once has been done then.
    await new Promise(setImmediate);
    vi.advanceTimersByTime(4_999);
    const isEndedBefore = socket.destroyed;
    vi.advanceTimersByTime(1);
    const isEnded = socket.destroyed;
    client.destroy();
    expect({ isEndedBefore, isEnded }).toEqual({ isEndedBefore: false, isEnded: true });
  });

  it('refuses an address that sent many wrong signatures, and never one that signs', async () => {
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

  it('ignores unknown events, and answers 503 while the store is unavailable', async () => {
    expect(
      (await send(signed({ messages: [{ id: 'a', type: 'image' }], statuses: [{ id: 'b', status: 'new' }] })))
        .statusCode,
    ).toBe(200);
    const { database } = alerts.parts.store;
    const { begin } = database;
    database.begin = () => {
      throw new Error('disk I/O error');
    };
    const stop = signed({ messages: [{ id: 'c', from: SOMEBODY, text: { body: 'STOP' } }] });
    expect((await send(stop)).statusCode).toBe(503);
    database.begin = begin;
    expect((await send(stop)).statusCode).toBe(200);
    expect(alerts.parts.store.sql.get`select count(*) as count from alert_suppression`?.count).toBe(1);
  });

  it('rejects a signed body that is not an update, and does not log it', async () => {
    const bodies = [`{"entry":[{"id":"${SOMEBODY}"`, `"${SOMEBODY}"`, SOMEBODY];
    for (const body of bodies) expect((await send(signedBody(Buffer.from(body)))).statusCode).toBe(400);
    await send(signed({ messages: [{ id: SOMEBODY, from: SOMEBODY, text: SOMEBODY }, SOMEBODY] }));
    expect(alerts.logged.join('')).not.toContain('900123');
  });

  it('lists as many watches as fit into a message, and counts the rest', async () => {
    for (const itemKey of alerts.itemKeys.slice(0, 40)) await alerts.signUp(SOMEBODY, itemKey);
    await send(signed({ messages: [{ id: 'yes', from: SOMEBODY, text: { body: 'YES' } }] }));
    const text = alerts.messages().at(-1)?.text ?? '';
    expect(text).toContain('And 25 more.');
    expect(text.length).toBeLessThan(4_096);
    const reply = alerts.parts.store.sql.get`select body from alert_message where kind = 'reply'`;
    const { parameters } = JSON.parse(String(reply?.body)) as { parameters: string[] };
    expect(parameters[1]?.length).toBeLessThanOrEqual(900);
  });

  it('answers sign-ups between the messages of a large webhook', async () => {
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
    expect(sql.get`select count(*) as count from alert_event`?.count).toBe(502);
    expect(sql.get`select state from alert_watch`?.state).toBe('ended');
    expect(alerts.messages().filter(({ kind }) => kind === 'reply')).toHaveLength(2);
  });

  it('processes a repeated message once', async () => {
    const itemKey = alerts.itemKeys[0] ?? '';
    await alerts.signUp(SOMEBODY, itemKey);
    const list = signed({ messages: [{ id: 'once', from: SOMEBODY, text: { body: 'LIST' } }] });
    for (let count = 0; count < 3; count += 1) expect((await send(list)).statusCode).toBe(200);
    expect(alerts.messages().filter(({ kind }) => kind === 'reply')).toHaveLength(1);
  });

  it('stops a number by its user ID alone, after both came in one message', async () => {
    await alerts.signUp(SOMEBODY, alerts.itemKeys[0] ?? '');
    await send(
      signed({ messages: [{ id: '1', from: SOMEBODY, from_user_id: 'GB.77', text: { body: 'YES' } }] }),
    );
    await send(signed({ messages: [{ id: '2', from_user_id: 'GB.77', text: { body: 'stop' } }] }));
    expect(alerts.parts.store.sql.get`select state from alert_watch`?.state).toBe('ended');
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
    expect(alerts.messages().every(({ state }) => state === 'dropped')).toBe(true);
  });

  it('notifies the operator of stops from unknown users once an hour', async () => {
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
    expect(alerts.parts.store.sql.get`select state from alert_watch`?.state).toBe('ended');
  });
});
