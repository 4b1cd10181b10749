import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { whenEnded } from './ended-responses.ts';

let app: FastifyInstance;
let ended: [path: string, status: number][];
/** Those whose answers are waited for. */
let waiting: string[];

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: true });
  ended = [];
  waiting = [];
  whenEnded(app, ({ url }, _reply, status) => ended.push([url, status]));
  app.get('/there', async () => ({}));
  app.get('/slow', async ({ url }, reply) => {
    waiting.push(url);
    await once(reply.raw, 'close');
    return {};
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

it('tells once of each response that was sent, with its status', async () => {
  const { port } = app.server.address() as AddressInfo;
  for (const path of ['/there', '/nowhere']) await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  await app.close();
  expect(ended).toEqual([
    ['/there', 200],
    ['/nowhere', 404],
  ]);
});

it('tells of a client that has hung up before its response', async () => {
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => waiting).toEqual(['/slow']);
  client.destroy();
  await expect.poll(() => ended).toEqual([['/slow', 499]]);
});
