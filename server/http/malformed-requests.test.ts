import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type VirtualClock, virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { type Tally, tally } from '../lib/tally.ts';
import { boundedServer } from './bounded-server.ts';
import { heldRefusals } from './held-refusals.ts';
import { malformedRequests } from './malformed-requests.ts';
import { requestId } from './request-id.ts';
import type { SentResponse } from './sent-response.ts';

let clock: VirtualClock;
let heldBack: Tally;
let app: FastifyInstance;
let observed: SentResponse[];
let logged: object[];
/** Begin and end the answer to `/begun`. */
let begin: (() => void) | null;
let end: (() => void) | null;
beforeEach(async () => {
  clock = virtualClock();
  heldBack = tally();
  observed = [];
  logged = [];
  begin = null;
  end = null;
  app = Fastify({
    genReqId: requestId,
    serverFactory: (handler): Server => boundedServer(handler),
    ...malformedRequests({
      headers: { 'x-own': 'header' },
      clock,
      refusals: heldRefusals(clock, heldBack),
      observe: (response) => observed.push(response),
      logger: () => ({
        info: (line: object) => logged.push(line),
        warn: (line: object) => logged.push(line),
      }),
    }),
  });
  app.post('/read', async () => 'read');
  app.get('/begun', (_request, reply) => {
    reply.hijack();
    begin = () => void reply.raw.writeHead(200, { 'content-length': '10' }).write('begun');
    end = () => void reply.raw.end('ended');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

/** Its client says that no more will come, while the app waits for the rest. */
const UNFINISHED =
  'POST /read HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n1';

function answerTo(bytes: string): Promise<string> {
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  if (bytes === UNFINISHED) client.end(bytes);
  else client.write(bytes);
  return text(client).catch(() => '');
}

it.each([
  ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400, /not valid HTTP/],
  ['headers over 16 kB', `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /16 kB/],
  ['a hundred headers and more', `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(100)}\r\n`, 431, /100/],
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400, /no Host/],
  ['a request with two hosts', 'GET / HTTP/1.1\r\nhost: x\r\nHOST: x\r\n\r\n', 400, /several Host/],
  ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 501, /CONNECT/],
  [
    'a body that is compressed on its way',
    'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    501,
    /Transfer-Encoding/,
  ],
  [
    'a hundred unknown expectations',
    'GET / HTTP/1.1\r\nhost: x\r\nexpect: x\r\n\r\n'.repeat(100),
    417,
    /Expect/,
  ],
])('answers %s with a sentence and the headers of pages', async (_, bytes, status, sentence) => {
  const answer = await answerTo(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain('x-own: header');
  expect(answer.match(/^HTTP\/1/gm)).toHaveLength(1);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ error: expect.stringMatching(sentence) });
});

const idOf = (answer: string) => /^x-request-id: (.+)\r$/m.exec(answer)?.[1];

it.each(['/%', '/%zz', '/%c0%ae'])('logs and measures the address %s with its request id', async (path) => {
  const answer = await answerTo(
    `GET ${path}?q=1 HTTP/1.1\r\nhost: x\r\nx-request-id: from-the-edge\r\nconnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain('x-own: header');
  expect(idOf(answer)).toBe('from-the-edge');
  expect(logged).toEqual([{ reqId: 'from-the-edge', method: 'GET', path, status: 400, ms: 0 }]);
  expect(observed).toEqual([{ method: 'GET', route: null, status: 400, ms: 0 }]);
});

it('logs and measures bytes that are not HTTP with a request id', async () => {
  const reqId = idOf(await answerTo('nonsense\r\n\r\n'));
  expect(reqId).toMatch(/^[\da-f-]{36}$/);
  expect(logged).toEqual([{ reqId, status: 400, ms: 0, code: 'HPE_INVALID_METHOD' }]);
  expect(observed).toEqual([{ method: 'none', route: null, status: 400, ms: 0 }]);
});

it('logs a flood of such addresses as a number, and measures each', async () => {
  const ask = 'GET /% HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  for (let nth = 0; nth < 15; nth += 1) await Promise.all(Array.from({ length: 10 }, () => answerTo(ask)));
  expect(observed).toHaveLength(150);
  expect(logged).toHaveLength(100);
  await clock.advance(1_000);
  expect(logged.slice(100)).toEqual([{ refusals: 50 }]);
});

it('survives a client that asks for a tunnel and resets its connection while the answer is held back', async () => {
  const ask = 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n';
  await Promise.all(Array.from({ length: 10 }, () => answerTo(ask)));
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.write(ask);
  await once(app.server, 'clientError');
  client.resetAndDestroy();
  await new Promise((done) => setTimeout(done, 50));
  await clock.advance(2_000);
  expect(await answerTo(ask)).toMatch(/^HTTP\/1\.1 501 /);
});

it.each([
  ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400],
  ['unknown expectations', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: x\r\n\r\n', 417],
  ['tunnels', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 501],
  ['too many headers', `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(100)}\r\n`, 431],
  ['bodies that end too early', UNFINISHED, 400],
])('holds a flood of answers to %s back, and gives each once', async (_, bytes, status) => {
  let answered = 0;
  const all = Array.from({ length: 30 }, async () => {
    const answer = await answerTo(bytes);
    answered += 1;
    return answer;
  });
  await expect.poll(() => answered, { timeout: 5_000 }).toBe(10);
  await new Promise((done) => setTimeout(done, 200));
  expect(answered).toBe(10);
  await clock.advance(850);
  const statuses = (await Promise.all(all)).flatMap((answer) => answer.match(/(?<=HTTP\/1\.1 )\d+/g));
  expect(statuses).toEqual(Array(30).fill(`${status}`));
  expect(observed.filter((response) => response.status === status)).toHaveLength(30);
});

it('forgets an answer that is held back when its client has gone, and measures it', async () => {
  for (let nth = 0; nth < 10; nth += 1) await answerTo('nonsense\r\n\r\n');
  observed = [];
  const refused = once(app.server, 'clientError');
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('nonsense\r\n\r\n');
  const [, socket] = await refused;
  await expect.poll(() => heldBack.of('127.0.0.1')).toBe(1);
  socket.destroy();
  await once(socket, 'close');
  expect(heldBack.of('127.0.0.1')).toBe(0);
  expect(observed).toEqual([{ method: 'none', route: null, status: 400, ms: 0 }]);
  await clock.advance(2_000);
  expect(observed).toHaveLength(1);
});

describe('Bytes that are not HTTP, behind a request', () => {
  let client: Socket;
  let received: string;
  const isClosed = () => expect.poll(() => client.closed, { timeout: 5_000 }).toBe(true);
  beforeEach(() => {
    client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    received = '';
    client.on('error', () => {});
    client.on('data', (bytes) => {
      received += bytes;
    });
  });
  afterEach(() => client.destroy());

  it('end the connection, and get no answer within the one that has begun', async () => {
    client.write('GET /begun HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => begin).not.toBeNull();
    begin?.();
    await expect.poll(() => received).toContain('begun');
    client.write('nonsense\r\n\r\n');
    await isClosed();
    expect(received).toMatch(/^HTTP\/1\.1 200 .*\r\nbegun$/s);
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('get no answer either if that has begun while theirs was held back, and leave it whole', async () => {
    for (let nth = 0; nth < 10; nth += 1) await answerTo('nonsense\r\n\r\n');
    const refused = once(app.server, 'clientError');
    client.write('GET /begun HTTP/1.1\r\nhost: x\r\n\r\nnonsense\r\n\r\n');
    await refused;
    await expect.poll(() => begin).not.toBeNull();
    begin?.();
    await clock.advance(850);
    end?.();
    await isClosed();
    expect(received).toMatch(/^HTTP\/1\.1 200 .*\r\nbegunended$/s);
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
