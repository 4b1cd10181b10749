import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedServer } from './bounded-server.ts';
import { isTooLong, isUsualHead, requestHead, TOO_LONG_HEAD } from './request-head.ts';

const HEAD = 'POST /graphql HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\n';

describe('requestHead', () => {
  it('ends before the body, and with the first of several requests', () => {
    const sent = Buffer.from(`${HEAD}\r\n{"query":"é"}GET / HTTP/1.1\r\n\r\n`);
    expect(requestHead(sent)).toBe(HEAD);
  });

  it('waits for a head in parts', () => {
    const sent = Buffer.from(`${HEAD}\r\n`);
    for (let length = 0; length < sent.length; length += 1) {
      expect(requestHead(sent.subarray(0, length))).toBeNull();
    }
    expect(requestHead(sent)).toBe(HEAD);
  });

  it.each(['\r\n\r\n', ''])('is cut after 17 kB: %j', (end) => {
    const sent = Buffer.from(`GET / HTTP/1.1\r\na: ${'x'.repeat(20_000)}${end}`);
    const head = requestHead(sent) ?? '';
    expect(head).toHaveLength(17_408);
    expect(isTooLong(head)).toBe(true);
    expect(isUsualHead(head)).toBe(false);
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const head = requestHead(Buffer.from([...bytes, 13, 10, 13, 10]));
        expect(head).not.toBeNull();
        expect(isUsualHead(head ?? '')).toBe(false);
      }),
    );
  });
});

/** What the server says of a head: `request`, or the code of its refusal. */
function verdictOf(head: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const server = boundedServer(() => resolve('request'));
  server.on('clientError', (error: Error & { code?: string }) => resolve(error.code));
  const [client, connection] = duplexPair();
  server.emit('connection', connection);
  client.write(Buffer.from(head, 'latin1'));
  return promise.finally(() => {
    connection.destroy();
    server.close();
  });
}

it('TOO_LONG_HEAD is refused as too long', async () => {
  expect(await verdictOf(TOO_LONG_HEAD.toString())).toBe('HPE_HEADER_OVERFLOW');
});

describe('isUsualHead', () => {
  it.each([
    HEAD,
    'GET / HTTP/1.0\r\nHost: x\r\n',
    'GET /a?b=%20c HTTP/1.1\r\nHOST:x\r\nuser-agent: Ä\r\nempty:\r\n',
  ])('is true of what browsers and proxies send: %j', (head) => {
    expect(isUsualHead(head)).toBe(true);
  });

  it.each([
    ['no host', 'GET / HTTP/1.1\r\na: b\r\n'],
    ['no headers', 'GET / HTTP/1.1\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nhost: x\r\nHost: x\r\n'],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n'],
    ['a header that is none', 'GET / HTTP/1.1\r\nhost: x\r\nHo st: a\r\n'],
    ['an expectation', 'GET / HTTP/1.1\r\nhost: x\r\nExpect: foo\r\n'],
    ['a coded body', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n'],
    ['another protocol', 'GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\n'],
    ['bytes of another protocol', '\x16\x03\x01\x02\x00\x01\r\n'],
    ['a method that is none', 'FOO / HTTP/1.1\r\nhost: x\r\n'],
    ['an address that is none', 'GET results HTTP/1.1\r\nhost: x\r\n'],
    ['a value with control characters', 'GET / HTTP/1.1\r\nhost: x\r\na: \x01\r\n'],
    ['a length that is none', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1x\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 1\r\n'],
    ['a hundred headers and more', `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(100)}`],
    ['more than 16 kB', `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(16_384)}\r\n`],
  ])('is false of what is refused for its form: %s', (_what, head) => {
    expect(isUsualHead(head)).toBe(false);
  });

  it('is true of nothing that the server refuses', async () => {
    const text = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 6,
    });
    const header = fc
      .tuple(
        fc.oneof(
          fc.constantFrom('Host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'x'),
          text,
        ),
        fc.constantFrom(': ', ':', ' :', ''),
        fc.oneof(
          fc.constantFrom('1', '+1', 'close', 'chunked', 'upgrade', '9'.repeat(30), 'x'.repeat(9_000)),
          text,
        ),
      )
      .map((parts) => `${parts.join('')}\r\n`);
    const line = fc
      .tuple(
        fc.oneof(fc.constantFrom('GET', 'POST', 'CONNECT', 'get'), text),
        fc.oneof(fc.constantFrom('/', '*', '/a?b#c'), text),
      )
      .map(([method, address]) => `${method} ${address} HTTP/1.1\r\n`);
    const head = fc
      .tuple(
        fc.oneof({ weight: 3, arbitrary: fc.constant('GET / HTTP/1.1\r\n') }, line),
        fc.array(header, { maxLength: 5 }),
      )
      .map(([first, headers]) => `${first}host: x\r\n${headers.join('')}`);
    let usual = 0;
    await fc.assert(
      fc.asyncProperty(head, async (sent) => {
        if (!isUsualHead(sent)) return;
        usual += 1;
        expect(await verdictOf(`${sent}\r\n`)).toBe('request');
      }),
      { numRuns: 3_000 },
    );
    expect(usual).toBeGreaterThan(100);
  });

  it('takes no longer for heads that are made to be slow', () => {
    const head = `GET / HTTP/1.1\r\n${'a:\t\r\n'.repeat(3_000)}\x00`;
    expect(isUsualHead(head)).toBe(false);
  });
});
