import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type UnreadConnection, unreadConnections } from './unread-connections.ts';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const MOST = 3;

let server: Server;
let clients: Socket[];
/** Requests that have come, in their order. */
let asked: { request: IncomingMessage; connection: UnreadConnection; answer: () => void }[];
/** Those whose clients are known to have hung up. */
let gone: number[];
let isAnsweredAtOnce: boolean;

beforeEach(async () => {
  const unread = unreadConnections(MOST);
  clients = [];
  asked = [];
  gone = [];
  isAnsweredAtOnce = false;
  // Those of an earlier test may end late.
  const [ownAsked, ownGone] = [asked, gone];
  server = createServer((request, response) => {
    const nth = ownAsked.length;
    const connection = unread.leave(request);
    const answer = () => void (response.destroyed || response.end('answer'));
    request.resume();
    response.once('close', () => {
      connection.forget();
      if (!response.writableFinished) ownGone.push(nth);
    });
    ownAsked.push({ request, connection, answer });
    if (isAnsweredAtOnce) connection.readOn(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const settle = () => new Promise((done) => setTimeout(done, 50));

/** Opens a connection that asks. Resolves when the connection is left unread, if it is to be. */
async function ask(request = GET): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  clients.push(client);
  const count = asked.length;
  client.write(request);
  await expect.poll(() => asked.length).toBe(count + 1);
  await settle();
  return client;
}

describe('A connection that is left unread', () => {
  it('is closed when it is read on, and not before, if its client has hung up', async () => {
    for (const client of [await ask(), await ask()]) client.destroy();
    await settle();
    expect(gone).toEqual([]);
    let wasGone: boolean | null = null;
    asked[1]?.connection.readOn(() => {
      wasGone = asked[1]?.request.socket.readableEnded ?? null;
    });
    await expect.poll(() => gone).toEqual([1]);
    expect(wasGone).toBe(true);
  });

  it('takes the next request after its answer', async () => {
    const client = await ask();
    for (let nth = 1; nth <= 3; nth += 1) {
      const last = asked.at(-1);
      last?.connection.readOn(last.answer);
      await once(client, 'data');
      client.write(GET);
      await expect.poll(() => asked.length).toBe(nth + 1);
      await settle();
    }
  });

  it('is forgotten when it is closed otherwise', async () => {
    await ask();
    asked[0]?.request.socket.destroy();
    await expect.poll(() => gone).toEqual([0]);
    asked[0]?.connection.readOn(() => {});
    await settle();
    expect(gone).toEqual([0]);
  });
});

it('does not leave a connection unread whose request is answered at once', async () => {
  isAnsweredAtOnce = true;
  const client = await ask();
  for (let nth = 2; nth <= 4; nth += 1) {
    client.write(GET);
    await expect.poll(() => asked.length).toBe(nth);
    await settle();
  }
  client.destroy();
  await expect.poll(() => asked[3]?.request.socket.closed).toBe(true);
});

it('reads a body to its end before it leaves the connection', async () => {
  const request = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nab';
  const [uploading, uploaded] = [await ask(request), await ask(request)];
  uploaded.write('cd');
  await expect.poll(() => asked[1]?.request.complete).toBe(true);
  await settle();
  for (const client of [uploading, uploaded]) client.destroy();
  await settle();
  expect(gone).toEqual([0]);
  asked[1]?.connection.readOn(() => {});
  await expect.poll(() => gone).toEqual([0, 1]);
});

describe('Where as many as may be are left unread', () => {
  it('the ones left first are closed if their clients have hung up', async () => {
    for (let nth = 0; nth < MOST; nth += 1) (await ask()).destroy();
    await settle();
    expect(gone).toEqual([]);
    await ask();
    await expect.poll(() => gone).toEqual([0]);
    await ask();
    await expect.poll(() => gone).toEqual([0, 1]);
  });

  it('those whose clients are there stay unread', async () => {
    for (let nth = 0; nth < MOST + 2; nth += 1) await ask();
    for (const client of clients) client.destroy();
    await settle();
    expect(gone).toEqual([]);
  });
});
