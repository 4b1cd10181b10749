import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isCallerGone } from '../lib/caller.ts';
import { addRequestBodies } from './request-bodies.ts';

const MOST_HELD = 10_000;
const MOST_UPLOADS = 20;

describe('addRequestBodies', () => {
  let app: FastifyInstance;
  let port: number;
  let failures: Error[];
  let requests: number;
  /** Answer the requests to `/hangs`. */
  let hung: (() => void)[];
  beforeEach(async () => {
    app = Fastify({ bodyLimit: 8_192, http: { connectionsCheckingInterval: 50 } });
    failures = [];
    requests = 0;
    hung = [];
    app.addHook('preParsing', async () => {
      requests += 1;
    });
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      failures.push(error);
      return reply.code(error.statusCode ?? 500).send({ error: error.message });
    });
    addRequestBodies(app, MOST_HELD, MOST_UPLOADS);
    app.post('/', async ({ body }) => ({ got: JSON.stringify(body).length }));
    app.post('/large', async (_request, reply) => reply.type('text/plain').send('x'.repeat(20_000_000)));
    app.post('/hangs', () => new Promise((resolve) => hung.push(() => resolve({}))));
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(address).port);
  });
  afterEach(() => app.close());

  const post = (body: string, headers: Record<string, string> = {}, path = '/') =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('takes JSON that is nested 64 levels deep, and refuses deeper JSON with 400 and a sentence', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect((await post(nested(64))).status).toBe(200);
    for (const levels of [65, 2_000]) {
      const refused = await post(nested(levels));
      expect(refused.status).toBe(400);
      expect(await refused.json()).toEqual({ error: expect.stringContaining('64 levels') });
    }
  });

  it('refuses JSON of thousands of values with 400 and a sentence', async () => {
    const refused = await post(`[1${',1'.repeat(2_001)}]`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({ error: expect.stringContaining('2000 values') });
  });

  it('refuses a body over the limit with 413, announced or not', async () => {
    const body = JSON.stringify('x'.repeat(9_000));
    const announced = await post(body);
    expect(announced.status).toBe(413);
    expect(await announced.json()).toEqual({ error: expect.stringContaining('8192 bytes') });
    expect(await sentInParts([body.slice(0, 4_000), body.slice(4_000)])).toBe(413);
  });

  it('puts a body of single bytes together', async () => {
    expect(await sentInParts([...JSON.stringify({ text: 'é'.repeat(500) })])).toBe(200);
  });

  it('says of a body that breaks off that its caller has hung up', async () => {
    const client = connect(port, '127.0.0.1');
    client.write(
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    );
    await once(app.server, 'request');
    client.resetAndDestroy();
    await vi.waitFor(() => expect(failures).toHaveLength(1));
    expect(isCallerGone(failures[0])).toBe(true);
  });

  it.each([
    ['no JSON', '{', 400],
    ['an own __proto__', '{"__proto__":{}}', 400],
    ['an empty body', '', 400],
  ])('refuses %s', async (_, body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  it('refuses a content type other than JSON', async () => {
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  /** Uploads of 4,000 bytes that never end. */
  async function unfinished(count: number, sent: string) {
    return await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => {});
        await once(socket, 'connect');
        socket.write(
          `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n${sent}`,
        );
        return { socket, answer: text(socket).catch(() => '') };
      }),
    );
  }

  it('ends the oldest unfinished uploads when bodies fill their memory, and still answers others', async () => {
    const uploads = await unfinished(8, `[${' '.repeat(600)}`);
    for (let nth = 0; nth < 20; nth += 1) expect((await post(`"${'y'.repeat(3_900)}"`)).status).toBe(200);
    const [first] = uploads;
    expect(await first?.answer).toMatch(/^HTTP\/1\.1 503 /);
    for (const { socket } of uploads) socket.destroy();
  });

  it('ends the oldest unfinished uploads when there are too many, also those that have sent nothing', async () => {
    const [oldest] = await unfinished(1, '');
    await vi.waitFor(() => expect(requests).toBe(1));
    const uploads = await unfinished(MOST_UPLOADS, '');
    expect(await oldest?.answer).toMatch(/^HTTP\/1\.1 503 /);
    expect((await post('{}')).status).toBe(200);
    for (const { socket } of uploads) socket.destroy();
  });

  it('needs no memory for the bodies of clients that do not read their answers', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(port, '127.0.0.1');
        const head = `POST /large HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n`;
        socket.write(`${head}"${'y'.repeat(3_998)}"`);
        await once(socket, 'readable');
        return socket;
      }),
    );
    expect((await post(`"${'y'.repeat(3_900)}"`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('refuses bodies for which those of unanswered requests leave no memory', async () => {
    const first = post(`"${'y'.repeat(3_998)}"`, {}, '/hangs');
    const second = post(`"${'y'.repeat(3_998)}"`, {}, '/hangs');
    await vi.waitFor(() => expect(hung).toHaveLength(2));
    for (let nth = 0; nth < 3; nth += 1) {
      const refused = await post(`"${'y'.repeat(3_900)}"`);
      expect(refused.status).toBe(503);
      expect(await refused.json()).toEqual({ error: expect.stringContaining('try again') });
    }
    for (const answer of hung) answer();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect((await post(`"${'y'.repeat(3_900)}"`)).status).toBe(200);
  });

  it('ends no upload for what others have announced and not sent', async () => {
    const uploads = await unfinished(3, '[');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await post('"y"')).status).toBe(200);
    for (const { answer, socket } of uploads) {
      socket.write(`1${' '.repeat(3_997)}]`);
      expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('takes 32 MB of bodies at most, unless told otherwise', async () => {
    const usual = Fastify({ bodyLimit: 64 * 1024 * 1024 });
    addRequestBodies(usual);
    usual.post('/', async () => ({}));
    const statusOf = async (bytes: number) => {
      const payload = Buffer.alloc(bytes, ' ');
      payload.write('{}');
      const headers = { 'content-type': 'application/json' };
      return (await usual.inject({ method: 'POST', url: '/', headers, payload })).statusCode;
    };
    expect(await statusOf(32 * 1024 * 1024)).toBe(200);
    expect(await statusOf(32 * 1024 * 1024 + 1)).toBe(503);
    await usual.close();
  });

  it('takes 1,000 uploads at most, unless told otherwise', async () => {
    const usual = Fastify();
    addRequestBodies(usual);
    let begun = 0;
    usual.addHook('preParsing', async () => {
      begun += 1;
    });
    usual.post('/', async () => ({}));
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const bodies = Array.from({ length: 1_001 }, () => new PassThrough());
    const statuses: number[] = [];
    const uploads = bodies.map(async (payload) => {
      const { statusCode } = await usual.inject({ method: 'POST', url: '/', headers, payload });
      statuses.push(statusCode);
    });
    await vi.waitFor(() => expect(begun).toBe(1_001));
    for (const body of bodies) body.end('{}');
    await Promise.all(uploads);
    expect(statuses.filter((status) => status === 503)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_000);
    await usual.close();
  });

  async function sentInParts(parts: readonly string[]): Promise<number | undefined> {
    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    const answered = once(sent, 'response');
    for (const part of parts) sent.write(part);
    sent.end();
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  }
});
