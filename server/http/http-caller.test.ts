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
    signal?.addEventListener('abort', () => hungUp.resolve());
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

it('lets a request wait for two seconds in all queues together, and in a flood for less than one', async () => {
  app.get('/', async (request, reply) => {
    const now = performance.now();
    const { waitsUntil = 0, waitsInFloodUntil = 0 } = httpCaller(request, reply);
    return { wait: waitsUntil - now, inFlood: waitsInFloodUntil - now };
  });
  const { wait, inFlood } = (await app.inject({ url: '/' })).json<{ wait: number; inFlood: number }>();
  expect(wait - inFlood).toBeCloseTo(1_150);
});
