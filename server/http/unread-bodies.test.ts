import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boundedServer } from './bounded-server.ts';

let server: Server;
let client: Socket;
let received: string;
beforeEach(async () => {
  server = boundedServer((_request, response) => response.writeHead(404).end('nothing'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  received = '';
  client.on('error', () => {});
  client.on('data', (bytes) => {
    received += bytes;
  });
});
afterEach(() => {
  client.destroy();
  server.close();
  server.closeAllConnections();
});

describe('A body that nobody reads', () => {
  it.each([
    ['is long', 'content-length: 100000000\r\n\r\nabc'],
    ['does not tell its length', 'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('ends its connection with the answer if it %s', async (_how, rest) => {
    client.write(`POST / HTTP/1.1\r\nhost: x\r\n${rest}`);
    await once(client, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 404 .*nothing/s);
  });

  it.each([
    ['is short', 'content-length: 3\r\n\r\n', 'abc'],
    ['has arrived', 'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n', ''],
  ])('leaves its connection open if it %s', async (_how, rest, later) => {
    const request = `POST / HTTP/1.1\r\nhost: x\r\n${rest}`;
    client.write(request);
    await expect.poll(() => received).toContain('nothing');
    received = '';
    client.write(`${later}${request}`);
    await expect.poll(() => received).toContain('nothing');
  });
});
