import { once } from 'node:events';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { type Caller, CallerGone, LOCAL_CLIENT } from '../lib/caller.ts';
import { httpCaller } from './http-caller.ts';

const app = Fastify({ trustProxy: 'loopback', forceCloseConnections: true });
let caller: Caller | null = null;
app.get('/', async (request, reply) => {
  caller = httpCaller(request, reply);
  return 'answered';
});
app.get('/slow', (request: FastifyRequest, reply: FastifyReply) => {
  caller = httpCaller(request, reply);
});
afterEach(() => {
  caller = null;
});

it.each([
  ['a program on this machine', {}, LOCAL_CLIENT],
  ['an IPv4 address behind the proxy', { 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
  ['an IPv6 address by its /64', { 'x-forwarded-for': '2001:db8:1:2::9' }, '2001:db8:1:2::/64'],
])('identifies the client of a request: %s', async (_, headers, client) => {
  await app.inject({ url: '/', headers });
  expect(caller?.client).toBe(client);
});

it('aborts when the client disconnects before it gets the response', async () => {
  const leaving = new AbortController();
  const left = fetch(`${await app.listen({ port: 0, host: '127.0.0.1' })}/slow`, { signal: leaving.signal });
  await once(app.server, 'request');
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  if (caller === null) throw new Error('The request did not arrive');
  const { signal } = caller as Caller;
  if (!signal.aborted) await once(signal, 'abort');
  expect(signal.reason).toBeInstanceOf(CallerGone);
  await app.close();
});
