import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSmallApp } from '../../tests/fixtures/small-app.ts';
import { type VirtualClock, virtualClock } from '../../tests/fixtures/virtual-clock.ts';
import { type Tally, tally } from '../lib/tally.ts';
import { boundedServer } from './bounded-server.ts';
import { clientAddresses } from './client-address.ts';
import { type ConnectionTarpit, CROWD, connectionTarpit } from './connection-tarpit.ts';
import { type HeldRefusals, heldRefusals } from './held-refusals.ts';

const FLOOD = '198.51.100.7';
const OTHER = '203.0.113.9';

let clock: VirtualClock;
let heldBack: Tally;
let refusals: HeldRefusals;
let tarpit: ConnectionTarpit;
let server: Server;
let clients: Socket[];
/** The connections that have come, and what was asked on them. */
let connections: Socket[];
let parsed: number;
let asked: string[];

beforeEach(async () => {
  clock = virtualClock();
  heldBack = tally(CROWD);
  refusals = heldRefusals(clock, heldBack);
  tarpit = connectionTarpit({
    clock,
    addresses: clientAddresses(['loopback']),
    refusals,
    heldBack,
  });
  [clients, connections, parsed, asked] = [[], [], 0, []];
  server = boundedServer(
    (request, response) => {
      text(request).then((body) => {
        asked.push(`${request.url} ${body.length}`);
        response.end('answer');
      }, ignore);
    },
    {
      receivesConnection(socket, parse) {
        connections.push(socket);
        tarpit.receive(socket, () => {
          parsed += 1;
          parse();
        });
      },
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of [...clients, ...connections]) socket.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const ignore = () => {};

const settle = () => new Promise((done) => setTimeout(done, 50));

/** So many requests of a network are held back, until some time after all that a test waits for. */
function crowd(network: string, count = 100): void {
  for (let nth = 0; nth < 10; nth += 1) hold(network);
  for (let nth = 0; nth < count; nth += 1) heldBack.add(network);
}
function hold(network: string): void {
  refusals.hold({ network, socket: new Socket(), since: clock.now(), isOwnFault: true }, () => {});
}

function get(path: string, client: string | null = FLOOD): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\n${client === null ? '' : `X-Forwarded-For: ${client}\r\n`}\r\n`;
}

const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${FLOOD}\r\ncontent-length: ${length}\r\n\r\n`;

/** Opens a connection, and sends the parts one after the other. */
async function send(...parts: string[]): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  clients.push(client);
  await once(client, 'connect');
  for (const part of parts) {
    client.write(part);
    await settle();
  }
  return client;
}

describe('A new connection for a network that has many requests held back', () => {
  beforeEach(() => crowd(FLOOD));

  it('waits for its parser, and its request is answered then', async () => {
    const client = await send(get('/a'));
    expect([parsed, heldBack.of(FLOOD)]).toEqual([0, 101]);
    await clock.advance(850);
    expect(String(await once(client, 'data'))).toContain('answer');
    expect([parsed, asked, heldBack.of(FLOOD)]).toEqual([1, ['/a 0'], 100]);
    client.write(get('/b'));
    await once(client, 'data');
    expect(asked).toEqual(['/a 0', '/b 0']);
  });

  it.each([
    ['before it waits', 10_000, 0],
    ['while it waits', 0, 10_000],
  ])('keeps a body that has come %s', async (_when, first, second) => {
    await send(post('/c', first + second) + 'x'.repeat(first), 'y'.repeat(second));
    expect(parsed).toBe(0);
    await clock.advance(850);
    await vi.waitFor(() => expect(asked).toEqual([`/c ${first + second}`]));
    expect(tarpit.isCut(connections[0] as Socket)).toBe(false);
  });

  it.each([
    ['before it waits', 40_000, 0],
    ['while it waits', 10_000, 90_000],
  ])('keeps the head alone of a request with a long body that has come %s', async (_when, first, second) => {
    await send(post('/d', first + second) + 'x'.repeat(first), 'y'.repeat(second));
    expect(parsed).toBe(0);
    const headers = once(server, 'request');
    await clock.advance(850);
    const [{ url, complete, socket }] = await headers;
    expect([url, complete, tarpit.isCut(socket)]).toEqual(['/d', false, true]);
  });

  it('keeps nothing of a head that is too long, and it is refused', async () => {
    const refused = once(server, 'clientError');
    const client = await send(`${get('/long').slice(0, -2)}a: ${'x'.repeat(20_000)}`);
    expect([parsed, heldBack.of(FLOOD)]).toEqual([0, 101]);
    await clock.advance(850);
    expect((await refused)[0]).toMatchObject({ code: 'HPE_HEADER_OVERFLOW' });
    client.destroy();
  });

  it('is looked at until the head of its request has come', async () => {
    const request = get('/parts');
    await send(request.slice(0, 30), request.slice(30, 60), request.slice(60));
    expect([parsed, heldBack.of(FLOOD)]).toEqual([0, 101]);
    await clock.advance(850);
    await vi.waitFor(() => expect(asked).toEqual(['/parts 0']));
  });

  it('is closed without a parser if its client hangs up', async () => {
    for (let nth = 0; nth < 20; nth += 1) (await send(get('/gone'))).end();
    await settle();
    await clock.advance(400);
    await vi.waitFor(() => expect(connections.filter(({ closed }) => closed)).toHaveLength(20));
    await clock.advance(1_000);
    expect([parsed, heldBack.of(FLOOD), clock.pending]).toEqual([0, 100, 0]);
  });

  it('is closed without a parser if its client resets it', async () => {
    const client = await send(get('/reset'));
    client.resetAndDestroy();
    await vi.waitFor(() => expect(connections[0]?.closed).toBe(true));
    await clock.advance(1_000);
    expect([parsed, heldBack.of(FLOOD)]).toEqual([0, 100]);
  });

  it('gets its parser when refusals end, as they do when the server stops', async () => {
    await send(get('/stop'));
    tarpit.end();
    refusals.end();
    await vi.waitFor(() => expect(asked).toEqual(['/stop 0']));
    await send(get('/later'));
    expect(asked).toEqual(['/stop 0', '/later 0']);
  });
});

describe('Beside a network that has many requests held back', () => {
  beforeEach(() => crowd(FLOOD));

  it.each([
    ['another client', get('/e', OTHER)],
    ['another client behind more proxies', get('/e', `${FLOOD}, ${OTHER}, 127.0.0.1`)],
    [
      'another client in one of several headers',
      `GET /e HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${FLOOD}\r\nX-Forwarded-For: ${OTHER}\r\n\r\n`,
    ],
    ['this machine', get('/e', null)],
    ['this machine in an unusual form', `GET /e HTTP/1.1\r\nhost: x\r\nupgrade: y\r\n\r\n`],
  ])('%s gets a parser at once', async (_who, request) => {
    await send(request.slice(0, 10), request.slice(10));
    expect([parsed, asked]).toEqual([1, ['/e 0']]);
  });

  it('a connection that is silent gets a parser, and its time limits, after a second', async () => {
    const client = await send('GET /slow');
    await send();
    await settle();
    await clock.advance(999);
    expect(parsed).toBe(0);
    await clock.advance(1);
    expect(parsed).toBe(2);
    client.write(get(' HTTP/1.1\r\nhost: x\r\n\r\n').slice(4));
    await vi.waitFor(() => expect(asked).toEqual(['/slow 0']));
  });

  it('a connection that is silent is closed when the server stops', async () => {
    await send();
    await settle();
    tarpit.end();
    await vi.waitFor(() => expect(connections[0]?.closed).toBe(true));
    await clock.advance(1_000);
    expect([parsed, clock.pending]).toEqual([0, 0]);
  });
});

describe('While many requests of the connecting address are refused for their form', () => {
  beforeEach(() => crowd('127.0.0.1'));

  it('a request that may be one of them waits for its parser', async () => {
    const client = await send('GET / HTTP/1.1\r\nHo st: a\r\n\r\n');
    await send(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(4_000)}`);
    expect([parsed, heldBack.of('127.0.0.1')]).toEqual([0, 102]);
    server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await clock.advance(850);
    expect(await text(client)).toContain('400');
  });

  it('a health check of this machine does not wait', async () => {
    await send(get('/healthz', null));
    expect(asked).toEqual(['/healthz 0']);
  });
});

it('gives a connection to its parser at once, before it has sent anything, while no network has many held back', async () => {
  crowd(FLOOD, 99);
  crowd(OTHER, 99);
  await send();
  await settle();
  expect(parsed).toBe(1);
});

it('gives a connection that is no proxy’s to its parser at once', async () => {
  tarpit = connectionTarpit({ clock, addresses: clientAddresses(['192.0.2.1']), refusals, heldBack });
  crowd('127.0.0.2');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    localAddress: '127.0.0.2',
  });
  clients.push(client);
  await once(client, 'connect');
  await settle();
  expect(parsed).toBe(1);
});

it('keeps clients that give up and connect again from the parser of the app, and nobody else', async () => {
  const small = await openSmallApp({ requestLimit: 1, trustedProxies: ['loopback'] });
  const { port } = new URL(await small.app.listen({ port: 0, host: '127.0.0.1' }));
  const open = (request: string) => {
    const client = connect(Number(port), '127.0.0.1');
    client.on('error', ignore);
    client.write(request);
    clients.push(client);
    return client;
  };
  const search = (client: string) =>
    `POST /graphql HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${client}\r\ncontent-length: 2\r\n\r\n{}`;
  let connected = 0;
  small.app.server.on('connection', () => {
    connected += 1;
  });
  // The first is within the limit, and ten refusals are not held.
  for (let nth = 0; nth < 111; nth += 1) open(search(FLOOD));
  await vi.waitFor(() => expect(connected).toBe(111));
  await settle();
  const upload = search(FLOOD).replace('content-length: 2', 'content-length: 60000') + 'x'.repeat(59_998);
  const uploaded = text(open(upload));
  const late = Array.from({ length: 20 }, () => open(search(FLOOD)));
  const [answer] = await once(open(search(OTHER)), 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
  await settle();
  expect(connected).toBe(112);
  const [patient, ...impatient] = late;
  for (const client of impatient) client.destroy();
  if (patient) expect(String((await once(patient, 'data'))[0])).toMatch(/^HTTP\/1\.1 429 /);
  expect(await uploaded).toMatch(/^HTTP\/1\.1 429 /);
  expect(await uploaded).toMatch(/connection: close/i);
  expect(connected).toBe(114);
  await small.close();
});
