import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { boundedServer } from './bounded-server.ts';
import { heldRefusals } from './held-refusals.ts';
import { malformedRequests } from './malformed-requests.ts';
import { addRequestBodies } from './request-bodies.ts';

const HEAD =
  'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const END = '0\r\n\r\n';

describe('boundBodyParts', () => {
  let app: FastifyInstance;
  let port: number;
  /** Parts of bodies that Node has handed over. */
  let parts: number;
  beforeEach(async () => {
    parts = 0;
    app = Fastify({
      serverFactory: (handler) => boundedServer(handler),
      ...malformedRequests({
        headers: {},
        clock: systemClock,
        refusals: heldRefusals(systemClock),
        observe: () => {},
        logger: () => null,
      }),
    });
    addRequestBodies(app);
    app.addHook('preParsing', async (_request, _reply, payload) => {
      payload.on('data', () => {
        parts += 1;
      });
    });
    app.post('/', async ({ body }) => ({ got: String(body).length }));
    app.post('/unread', { onRequest: async (_request, reply) => reply.code(429).send() }, async () => {});
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
  });
  afterEach(() => app.close());

  async function answerTo(bytes: string): Promise<string> {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => {});
    client.write(bytes);
    return await text(client).catch(() => '');
  }
  const inParts = (body: string, size: number) =>
    (body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
      .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
      .join('');
  const closing = (head: string) => head.replace('host: x', 'host: x\r\nconnection: close');

  it('refuses a body of thousands of tiny parts with 400 and a sentence, and reads no more of it', async () => {
    const answer = await answerTo(HEAD + inParts(JSON.stringify('x'.repeat(10_000)), 1) + END);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .+too many small parts/s);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(parts).toBe(64);
  });

  it('refuses a body of parts that are shorter than 256 bytes', async () => {
    const body = JSON.stringify('x'.repeat(30_000));
    expect(await answerTo(closing(HEAD) + inParts(body, 250) + END)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('ends the connection of such a body without an end', async () => {
    expect(await answerTo(HEAD + inParts('x'.repeat(10_000), 1))).toContain('400 Bad Request');
  });

  it('ends it also if the request was refused already', async () => {
    const refused = HEAD.replace('POST /', 'POST /unread');
    expect(await answerTo(refused + inParts('x'.repeat(10_000), 1))).toMatch(/^HTTP\/1\.1 4(00|29) /);
  });

  it.each([
    [60, 1],
    [30_000, 300],
    [30_000, 30_000],
  ])('takes %s bytes in parts of %s', async (length, size) => {
    const body = JSON.stringify('x'.repeat(length));
    expect(await answerTo(closing(HEAD) + inParts(body, size) + END)).toContain(`{"got":${length}}`);
  });

  it('counts the parts of each request of a connection anew', async () => {
    const once40 = inParts(JSON.stringify('x'.repeat(40)), 1) + END;
    const answer = await answerTo(HEAD + once40 + HEAD + once40 + closing(HEAD) + once40);
    expect(answer.match(/\{"got":40\}/g)).toHaveLength(3);
  });

  it('leaves no trace in the parsers that Node keeps for other connections', async () => {
    for (let nth = 0; nth < 5; nth += 1) await answerTo(HEAD + inParts('x'.repeat(1_000), 1));
    const fetched = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '"abc"',
    });
    expect(await fetched.json()).toEqual({ got: 3 });
    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    sent.write('"ab');
    sent.end('c"');
    const [response] = await once(sent, 'response');
    expect(await text(response)).toBe('{"got":3}');
  });
});
