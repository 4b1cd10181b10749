import { once } from 'node:events';
import { request } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addErrorHandler } from './error-handler.ts';
import { acceptAnyBody, addRequestBodies } from './request-bodies.ts';

describe('Request bodies', () => {
  let app: FastifyInstance;
  let port: number;
  beforeEach(async () => {
    app = Fastify({ bodyLimit: 8_192 });
    addErrorHandler(app);
    addRequestBodies(app);
    app.post('/', async ({ body }) => ({ got: JSON.stringify(body).length }));
    await app.register(async (raw) => {
      acceptAnyBody(raw);
      raw.post('/raw', async ({ body }) => ({ got: (body as Buffer).length }));
    });
    port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  afterEach(() => app.close());

  const post = async (payload: string, headers: Record<string, string> = {}, url = '/') => {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await app.inject({ method: 'POST', url, headers: sent, payload });
    return [answer.statusCode, answer.json()];
  };
  const refused = (status: number, code: string, sentence: string) => [
    status,
    { error: expect.stringContaining(sentence), code },
  ];

  it.each([
    ['a cut-off text', '{"a":', 'not valid JSON'],
    ['no text', '', 'empty'],
    ['an own __proto__', '{"a":{"__proto__":{}}}', 'not valid JSON'],
    ['a constructor.prototype', '{"constructor":{"prototype":1}}', 'not valid JSON'],
  ])('are refused, with a sentence, if they have %s', async (_, body, sentence) => {
    expect(await post(body)).toEqual(refused(400, 'BAD_REQUEST', sentence));
  });

  it('are refused with 413 above the limit, with or without a Content-Length', async () => {
    const body = JSON.stringify('x'.repeat(9_000));
    const tooLarge = refused(413, 'BODY_TOO_LARGE', '8192 bytes');
    expect(await post(body)).toEqual(tooLarge);
    expect(await post(body, {}, '/raw')).toEqual(tooLarge);
    expect(await sentInParts([body.slice(0, 4_000), body.slice(4_000)], '/')).toBe(413);
    expect(await sentInParts([body.slice(0, 4_000), body.slice(4_000)], '/raw')).toBe(413);
  });

  it('may arrive in parts', async () => {
    expect(await sentInParts([...JSON.stringify({ text: 'é'.repeat(500) })], '/')).toBe(200);
  });

  it('are refused if they are compressed, or not JSON', async () => {
    const code = 'UNSUPPORTED_MEDIA_TYPE';
    expect(await post('{}', { 'content-encoding': 'gzip' })).toEqual(refused(415, code, 'Content-Encoding'));
    expect(await post('{}', { 'content-encoding': 'identity' })).toEqual([200, { got: 2 }]);
    expect(await post('{}', { 'content-type': 'text/plain' })).toEqual(refused(415, code, 'send JSON'));
  });

  async function sentInParts(parts: readonly string[], path: string): Promise<number | undefined> {
    const headers = { 'content-type': 'application/json' };
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path, headers });
    const answered = once(sent, 'response');
    for (const part of parts) sent.write(part);
    sent.end();
    const [response] = await answered;
    response.resume();
    return response.statusCode;
  }
});
