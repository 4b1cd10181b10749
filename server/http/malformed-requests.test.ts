import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SERVER_OPTIONS } from './limits.ts';
import { malformedRequests } from './malformed-requests.ts';
import { requestId } from './request-id.ts';
import type { SentResponse } from './request-log.ts';

let app: FastifyInstance;
let observed: SentResponse[];
beforeEach(async () => {
  observed = [];
  app = Fastify({
    ...SERVER_OPTIONS,
    http: { ...SERVER_OPTIONS.http, headersTimeout: 100, connectionsCheckingInterval: 20 },
    requestTimeout: 200,
    genReqId: requestId,
    ...malformedRequests(
      { 'x-frame-options': 'DENY' },
      (response) => observed.push(response),
      () => app.log,
    ),
  });
  app.get('/', async () => 'there');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

function send(bytes: string): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

const HEAD = 'GET / HTTP/1.1\r\nHost: x\r\n';

it.each([
  [
    'an address that cannot be decoded',
    'GET /% HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400, 'BAD_REQUEST'],
  ['headers of more than 16 kB', `${HEAD}A: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['headers that never end', HEAD, 408, 'REQUEST_TIMEOUT'],
])(
  'responds to %s with a code, a sentence, security headers and a request id',
  async (_, bytes, status, code) => {
    const answer = await send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^x-frame-options: DENY\r$/m);
    expect(answer).toMatch(/^x-request-id: [\w-]{36}\r$/m);
    expect(answer).toMatch(/^content-type: application\/json; charset=utf-8\r$/m);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      error: expect.stringMatching(/\.$/),
      code,
    });
    expect(observed).toMatchObject([{ route: null, status }]);
  },
);

it('does not write an error response into another response', async () => {
  const answer = await send(`${HEAD}\r\nnonsense\r\n\r\n`);
  expect(answer.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
});
