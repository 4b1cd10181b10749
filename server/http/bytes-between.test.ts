import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundedServer } from './bounded-server.ts';

const BLANK = '\r\n'.repeat(10_000);
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

let server: Server;
let client: Socket;
let received: string;

beforeEach(async () => {
  server = boundedServer((request, response) => {
    if (request.url === '/slow') return;
    request.resume();
    request.once('end', () => response.end('ok'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  received = '';
  client.on('data', (bytes) => {
    received += bytes;
  });
  await once(client, 'connect');
});
afterEach(() => {
  client.destroy();
  server.close();
  server.closeAllConnections();
});

const answers = () => received.match(/HTTP\/1\.1 200/g)?.length ?? 0;

async function sendBlankLines(): Promise<void> {
  for (let nth = 0; nth < 20 && !client.destroyed; nth += 1) {
    client.write(BLANK);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

it.each([
  ['before its first request', ''],
  ['behind a request', GET],
  ['while a request is answered', 'GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'],
])('closes a connection that sends blank lines %s', async (_when, first) => {
  client.write(first);
  await sendBlankLines();
  await expect.poll(() => client.destroyed).toBe(true);
});

it.each([
  ['of known length', 'content-length: 300000\r\n\r\n', 'x'.repeat(300_000)],
  ['in parts', 'transfer-encoding: chunked\r\n\r\n', `493e0\r\n${'x'.repeat(300_000)}\r\n0\r\n\r\n`],
])('counts no body %s', async (_kind, headers, body) => {
  for (const nth of [1, 2]) {
    client.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers}`);
    for (let at = 0; at < body.length; at += 40_000) {
      client.write(body.slice(at, at + 40_000));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await expect.poll(answers).toBe(nth);
  }
  client.write(`${BLANK}${GET}`);
  await expect.poll(answers).toBe(3);
});

it('counts from each request', async () => {
  for (let nth = 1; nth <= 10; nth += 1) {
    client.write(`${BLANK}${GET}`);
    await expect.poll(answers).toBe(nth);
  }
});
