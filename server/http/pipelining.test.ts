import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type VirtualClock, virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { type Pipelining, pipelining } from './pipelining.ts';

let clock: VirtualClock;
let server: Server;
let order: Pipelining;
/** The addresses of the requests that got in. */
let seen: string[];
/** Answers the oldest request that has no answer yet. */
let answers: (() => void)[];
let networkOf: (request: IncomingMessage) => string;

beforeEach(async () => {
  clock = virtualClock();
  order = pipelining(clock);
  seen = [];
  answers = [];
  networkOf = () => 'a network';
  server = createServer((request, response) => {
    const next = () => {
      seen.push(request.url ?? '');
      answers.push(() => response.end('x'));
    };
    order.inOrder(request.socket, response, () => networkOf(request), next);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends requests in one packet. */
function send(...paths: string[]) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  return socket;
}

const answerOne = () => answers.shift()?.();
const haveCome = (count: number) => expect.poll(() => seen.length).toBe(count);

it('a request waits until the earlier response of its connection has been sent', async () => {
  const socket = send('/1', '/2', '/3');
  send('/other');
  await haveCome(2);
  expect(seen.toSorted()).toEqual(['/1', '/other']);
  answers.splice(0).forEach((answer) => {
    answer();
  });
  await haveCome(3);
  answerOne();
  await haveCome(4);
  expect(seen.slice(2)).toEqual(['/2', '/3']);
  socket.destroy();
});

it('nothing is done for what a closed connection has sent', async () => {
  const socket = send('/1', '/2');
  await haveCome(1);
  socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 50));
  answerOne();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(seen).toEqual(['/1']);
});

it('a network sends no more than ten behind one another in a second, whatever its connections', async () => {
  const paths = Array.from({ length: 12 }, (_, nth) => `/${nth}`);
  send(...paths);
  send(...paths);
  await haveCome(2);
  // The first of each connection is not behind another; then come those that a network has at once.
  for (let sent = 2; sent < 2 + 16; sent += 1) {
    answerOne();
    await haveCome(sent + 1);
  }
  answers.splice(0).forEach((answer) => {
    answer();
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(seen).toHaveLength(18);
  await clock.advance(1_000);
  await expect.poll(() => seen.length).toBeGreaterThan(18);
});

/** Sends two requests in one packet from each of many networks, and answers the first ones. */
async function sendFromNetworks(networks: number) {
  networkOf = ({ url = '' }) => url.split('/')[1] ?? '';
  const sockets = Array.from({ length: networks }, (_, nth) => send(`/${nth}/1`, `/${nth}/2`));
  await haveCome(networks);
  answers.splice(0).forEach((answer) => {
    answer();
  });
  return sockets;
}

it('all networks together send two hundred behind one another in a second, beyond thirty-two', async () => {
  await sendFromNetworks(60);
  await haveCome(60 + 32);
  await clock.advance(5);
  await haveCome(60 + 33);
  await clock.advance(95);
  await haveCome(60 + 52);
  await clock.advance(1_000);
  await haveCome(120);
});

it('a connection is closed whose next request would wait for more than five seconds', async () => {
  const network = Array.from({ length: 70 }, (_, nth) => `/${nth}`);
  const sockets = Array.from({ length: 70 }, () => send(...network.slice(0, 2)));
  await haveCome(70);
  answers.splice(0).forEach((answer) => {
    answer();
  });
  // Sixteen at once, and fifty in the next five seconds.
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(4);
  await clock.advance(5_000);
  await haveCome(70 + 66);
});
