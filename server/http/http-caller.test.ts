import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundedServer } from './bounded-server.ts';
import { httpCaller } from './http-caller.ts';

let app: FastifyInstance;
beforeEach(() => {
  app = Fastify({ serverFactory: (handler) => boundedServer(handler) });
});
afterEach(() => app.close());

it('counts a client that closes its sending side before the answer as gone, and sends it none', async () => {
  const hungUp = Promise.withResolvers<void>();
  app.get('/', async (request, reply) => {
    const { signal } = httpCaller(request, reply);
    signal.addEventListener('abort', () => hungUp.resolve());
    await hungUp.promise;
    return 'an answer';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = connect({ port: (app.server.address() as AddressInfo).port, allowHalfOpen: true });
  await once(client, 'connect');
  client.end('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  expect(await text(client)).toBe('');
  await hungUp.promise;
});

it('names the client by its address, and programs on this machine together', async () => {
  app.get('/', async (request, reply) => httpCaller(request, reply).client);
  expect((await app.inject({ url: '/' })).body).toBe('local');
  expect((await app.inject({ url: '/', remoteAddress: '192.0.2.1' })).body).toBe('192.0.2.1');
});
