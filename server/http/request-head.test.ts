import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUsualHead, requestHead } from './request-head.ts';

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
    expect(requestHead(sent)).toHaveLength(17_408);
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
  ])('is false of what is refused for its form: %s', (_what, head) => {
    expect(isUsualHead(head)).toBe(false);
  });

  it('takes no longer for heads that are made to be slow', () => {
    const head = `GET / HTTP/1.1\r\n${'a:\t\r\n'.repeat(3_000)}\x00`;
    expect(isUsualHead(head)).toBe(false);
  });
});
