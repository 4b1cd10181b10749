import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import { closeGracefully } from './close-gracefully.ts';

it('responds to accepted requests, and does not wait for unused connections', async () => {
  const app = Fastify();
  const accepted = Promise.withResolvers<void>();
  app.get('/', async () => {
    accepted.resolve();
    await wait(100);
    return 'answered';
  });
  const close = closeGracefully(app);
  const cutAll = vi.spyOn(app.server, 'closeAllConnections');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const cut = once(silent, 'close');
  const answer = fetch(`http://127.0.0.1:${port}/`);
  await accepted.promise;

  await close();
  expect(await (await answer).text()).toBe('answered');
  expect((await answer).headers.get('connection')).toBe('close');
  await cut;
  // The app closed before the time limit.
  expect(cutAll).not.toHaveBeenCalled();
});

it('closes the connection of a request that outlasts the stop', async () => {
  const app = Fastify();
  const accepted = Promise.withResolvers<void>();
  app.get('/', () => {
    accepted.resolve();
    return new Promise(() => {});
  });
  const close = closeGracefully(app, 50);
  const cutAll = vi.spyOn(app.server, 'closeAllConnections');
  const answer = fetch(await app.listen({ port: 0, host: '127.0.0.1' }));
  answer.catch(() => {});
  await accepted.promise;

  await close();
  await expect(answer).rejects.toThrow('fetch failed');
  expect(cutAll).toHaveBeenCalledOnce();
});
