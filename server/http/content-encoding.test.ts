import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSmallAlerts, type SmallAlerts } from '../../tests/fixtures/alerts/small-alerts.ts';
import { API_KEY, openSmallApp, type SmallApp } from '../../tests/fixtures/small-app.ts';

/** 16 MB of zeros, compressed to a few bytes. */
const NOTHING = Buffer.alloc(16 * 1024 * 1024, ' ');
const BOMB = brotliCompressSync(NOTHING);

describe('a compressed request body', () => {
  let alerts: SmallAlerts;
  let small: SmallApp;
  beforeAll(async () => {
    alerts = await openSmallAlerts();
    small = await openSmallApp({ alerts: { service: alerts.service, config: alerts.config } });
  });
  afterAll(async () => {
    await small.close();
    await alerts.close();
  });

  const post = (url: string, payload: Buffer, headers: Record<string, string>) =>
    small.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY, ...headers },
      payload,
    });

  it.each([
    '/graphql',
    '/graphql/',
    '/intents',
    '/webhooks/whatsapp',
    '/visits',
    '/vitals',
    '/outbox/answer',
    '/nowhere',
  ])('is refused at %s', async (url) => {
    const response = await post(url, BOMB, { 'content-encoding': 'br' });
    expect(response.statusCode).toBe(415);
    expect(response.json()).toEqual({ error: expect.stringContaining('without a Content-Encoding') });
    expect(response.headers['accept-encoding']).toBe('identity');
  });

  it.each([
    ['gzip', gzipSync(NOTHING)],
    ['deflate', deflateSync(NOTHING)],
    ['zstd', zstdCompressSync(NOTHING)],
    ['x-gzip', gzipSync(NOTHING)],
    ['br, br', brotliCompressSync(BOMB)],
    ['identity, br', BOMB],
    ['anything', Buffer.from('{}')],
  ])('is refused as %s', async (encoding, body) => {
    expect((await post('/intents', body, { 'content-encoding': encoding })).statusCode).toBe(415);
  });

  it.each(['identity', 'Identity', ''])('is not assumed if Content-Encoding is "%s"', async (encoding) => {
    const body = Buffer.from(JSON.stringify({ query: '{ __typename }' }));
    expect((await post('/graphql', body, { 'content-encoding': encoding })).statusCode).toBe(200);
  });

  it('is never decompressed, whatever its Content-Length', async () => {
    const address = new URL(await small.app.listen({ port: 0, host: '127.0.0.1' }));
    const { port } = small.app.server.address() as AddressInfo;
    const socket = connect(port, address.hostname);
    await once(socket, 'connect');
    socket.write(
      `POST /intents HTTP/1.1\r\nhost: ${address.host}\r\ncontent-type: application/json\r\ncontent-encoding: br\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    // The response arrives before any of the body is sent.
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 415 /);
    socket.destroy();
  });

  it('is not assumed for a request without a body', async () => {
    const response = await small.app.inject({ url: '/healthz', headers: { 'content-encoding': 'br' } });
    expect(response.statusCode).toBe(200);
  });
});
