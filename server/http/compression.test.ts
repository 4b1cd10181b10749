import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addCompression } from './compression.ts';

const TEXT = 'the list of places '.repeat(1_000);

let app: FastifyInstance;
beforeEach(async () => {
  app = Fastify({ forceCloseConnections: true });
  await addCompression(app, 2);
  app.get('/list', async (_request, reply) => reply.type('text/csv').send(TEXT));
  app.get('/endless', async (_request, reply) => {
    const body = new Readable({ read: () => {} });
    body.push('begun');
    return reply.type('image/png').send(body);
  });
});
afterEach(() => app.close());

const list = () => app.inject({ url: '/list', headers: { 'accept-encoding': 'br' } });

it('compresses responses, and sends them as they are while too many are open', async () => {
  const compressed = await list();
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(TEXT);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const clients = [1, 2].map(() => {
    const client = connect(port, '127.0.0.1');
    client.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n');
    return client;
  });
  // A list asked for earlier would take a place from one of them.
  await Promise.all(clients.map((client) => once(client, 'data')));
  const plain = await list();
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toBe(TEXT);
  for (const client of clients) client.destroy();
  const encoding = async () => (await list()).headers['content-encoding'];
  await expect.poll(encoding, { timeout: 10_000 }).toBe('br');
});
