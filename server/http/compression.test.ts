import { randomBytes } from 'node:crypto';
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
  for (const [url, type] of [
    ['/endless-list', 'text/csv'],
    ['/endless-picture', 'image/png'],
  ] as const) {
    app.get(url, async (_request, reply) => reply.type(type).send(endless()));
  }
});
afterEach(() => app.close());

function endless(): Readable {
  const body = new Readable({ read: (size) => void body.push(randomBytes(size)) });
  return body;
}

/** Clients that read the beginning of a response. */
async function slowClients(count: number, url: string) {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const clients = Array.from({ length: count }, () => {
    const client = connect(port, '127.0.0.1');
    client.write(`GET ${url} HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n`);
    client.once('data', () => client.pause());
    return client;
  });
  // A list asked for earlier would take a place from one of them.
  await Promise.all(clients.map((client) => once(client, 'data')));
  return clients;
}

const list = () => app.inject({ url: '/list', headers: { 'accept-encoding': 'br' } });

it('compresses responses, and sends them as they are while too many are open', async () => {
  const compressed = await list();
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(TEXT);
  const clients = await slowClients(2, '/endless-list');
  const plain = await list();
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toBe(TEXT);
  for (const client of clients) client.destroy();
  const encoding = async () => (await list()).headers['content-encoding'];
  await expect.poll(encoding, { timeout: 10_000 }).toBe('br');
});

it('compresses lists beside pictures that are read slowly', async () => {
  const clients = await slowClients(5, '/endless-picture');
  expect((await list()).headers['content-encoding']).toBe('br');
  for (const client of clients) client.destroy();
});

it('compresses as before after clients have gone before their responses', async () => {
  let asked = 0;
  app.get('/late', async (_request, reply) => {
    asked += 1;
    await once(reply.raw, 'close');
    return reply.type('text/csv').send(TEXT);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  for (let gone = 1; gone <= 3; gone += 1) {
    const client = connect(port, '127.0.0.1');
    client.write('GET /late HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n');
    await expect.poll(() => asked).toBe(gone);
    client.destroy();
  }
  await expect.poll(() => openConnections(app)).toBe(0);
  expect((await list()).headers['content-encoding']).toBe('br');
});

function openConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
