import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPause } from '../../server/alerts/delivery/pauses.ts';
import { eraseNumber } from '../../server/alerts/tables/erasure.ts';
import { openAlertsApp } from '../fixtures/alerts/alerts-app.ts';
import { ntfyBody } from '../fixtures/alerts/channel-bodies.ts';
import { NEVER_IDLE } from '../fixtures/alerts/never-idle.ts';
import { STORE_KINDS } from '../fixtures/test-stores.ts';

interface Published {
  topic: string;
  title: string;
  message: string;
  click: string;
  actions: { action: string; label: string; url: string }[];
  authorization: string | undefined;
}

describe.each(STORE_KINDS)('Alerts through an ntfy server, in the %s store', (store) => {
  let server: Server;
  let published: Published[];
  let status: number;
  let alerts: Awaited<ReturnType<typeof openAlertsApp>>;
  beforeEach(async () => {
    published = [];
    status = 200;
    server = createServer(NEVER_IDLE, (request, response) => {
      void json(request).then((body) => {
        published.push({ ...(body as Published), authorization: request.headers.authorization });
        response.writeHead(status).end(JSON.stringify({ id: `m${published.length}` }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    alerts = await openAlertsApp({
      store,
      variables: {
        NTFY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        NTFY_TOKEN: 'tk_secret',
        PUBLIC_URL: 'https://skylark.example',
        ALERT_QUIET_HOURS: 'none',
      },
    });
  });
  afterEach(async () => {
    await alerts.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const itemKey = () => alerts.itemKeys[0] ?? '';
  const drain = () => alerts.parts.dispatcher.drain();
  const signUp = (topic: string) =>
    alerts.app.inject({ method: 'POST', url: '/intents', payload: ntfyBody(topic, itemKey()) });
  const path = (link = '') => link.replace('https://skylark.example', '');
  const act = (link: string | undefined) => alerts.app.inject({ method: 'POST', url: path(link) });
  const states = async () =>
    (await alerts.parts.store.sql.all`select state from alert_watch`).map(({ state }) => state);
  async function drop(): Promise<void> {
    alerts.passTime(25 * 3_600_000);
    await alerts.setPrice(itemKey(), Math.floor((await alerts.priceOf(itemKey())) * 0.8));
    await drain();
  }

  it('starts a watch once the first notification is confirmed, tells of drops, and stops by a link', async () => {
    expect((await signUp('somebodys-topic')).json()).toEqual({ status: 'ok' });
    await drain();
    expect(published).toMatchObject([
      {
        topic: 'somebodys-topic',
        title: 'Confirm your price alert',
        message: expect.stringMatching(/^This is Skylark\. Someone asked us .+ costs £\d+/),
        authorization: 'Bearer tk_secret',
      },
    ]);
    expect((await alerts.app.inject({ url: path(published[0]?.click) })).body).toContain('Yes, watch it');
    expect(await states()).toEqual(['asked']);
    await act(published[0]?.click);
    expect(await states()).toEqual(['active']);
    await drop();
    expect(published).toHaveLength(2);
    expect(published[1]?.title).toMatch(/^Price drop to £\d+, from £\d+$/);
    const [stop, own] = published[1]?.actions ?? [];
    expect([stop?.label, own?.label]).toEqual(['Stop this one', 'Your alerts']);
    expect((await alerts.app.inject({ url: path(own?.url) })).body).toContain('the ntfy topic so…');
    await act(stop?.url);
    expect(await states()).toEqual(['ended']);
    await drop();
    expect(published).toHaveLength(2);
    const consents = await alerts.parts.store.sql
      .all`select channel, act, wording from alert_consent order by id`;
    expect(consents).toMatchObject([
      { channel: 'ntfy', act: 'signed up', wording: expect.stringContaining('through ntfy') },
      { channel: 'ntfy', act: 'confirmed' },
    ]);
  });

  it('never messages a topic again that has refused, and erases it by its name', async () => {
    await signUp('refusing');
    await drain();
    await act(published[0]?.actions.find(({ label }) => label === 'Never message me')?.url);
    await signUp('refusing');
    await drain();
    expect(published).toHaveLength(1);
    expect(await eraseNumber(alerts.parts.store, 'ntfy:refusing')).toMatchObject({
      kind: 'erased',
      watches: 1,
    });
  });

  it('keeps sending to other topics when one is forbidden, and pauses when the token is', async () => {
    status = 403;
    await signUp('forbidden');
    await drain();
    expect((await readPause(alerts.parts.store, 'ntfy')).until).toBe(0);
    status = 401;
    await signUp('another');
    await drain();
    expect((await readPause(alerts.parts.store, 'ntfy')).until).toBeGreaterThan(alerts.now());
  });

  it('rejects what is no topic', async () => {
    expect((await signUp('no/topic')).statusCode).toBe(400);
  });
});

it('refuses topics where the operator offers no ntfy server', async () => {
  const alerts = await openAlertsApp({});
  const payload = ntfyBody('topic', alerts.itemKeys[0] ?? '');
  expect((await alerts.app.inject({ method: 'POST', url: '/intents', payload })).statusCode).toBe(503);
  await alerts.close();
});
