import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { boundedServer, type ConnectionLimits } from './bounded-server.ts';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('boundedServer', () => {
  const servers: Server[] = [];
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  async function serve(limits: Partial<ConnectionLimits>, answer: RequestListener): Promise<number> {
    const server = boundedServer(answer, limits);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
    const client = connect({ port, host: '127.0.0.1', localAddress });
    clients.push(client);
    client.on('error', () => {});
    await once(client, 'connect');
    return client;
  }

  it('closes the connection without a request for the longest time in favour of a new one', async () => {
    const port = await serve({ mostConnections: 2 }, (_request, response) => response.end('ok'));
    const first = await open(port);
    const second = await open(port);
    first.write(GET);
    await once(first, 'data');
    const closed = once(second, 'close');
    const third = await open(port);
    await closed;
    third.write(GET);
    await once(third, 'data');
    expect(first.destroyed).toBe(false);
  });

  it('refuses a new connection while all others have a request', async () => {
    const port = await serve({ mostConnections: 1 }, () => {});
    const first = await open(port);
    first.write(GET);
    await new Promise((resolve) => servers[0]?.once('request', resolve));
    const second = connect(port, '127.0.0.1');
    clients.push(second);
    second.on('error', () => {});
    await once(second, 'close');
    expect(first.destroyed).toBe(false);
  });

  it('closes one of the network that keeps all others out, and no other connection', async () => {
    const port = await serve({ mostConnections: 4, networkOf: (address) => address }, () => {});
    const idle = await open(port, '127.0.0.2');
    const busy: Socket[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const one = await open(port, '127.0.0.3');
      const asked = new Promise((resolve) => servers[0]?.once('request', resolve));
      one.write(GET);
      await asked;
      busy.push(one);
    }
    const closed = once(busy[0] ?? idle, 'close');
    const newcomer = await open(port, '127.0.0.4');
    await closed;
    const refused = await open(port, '127.0.0.3');
    if (!refused.destroyed) await once(refused, 'close');
    expect([idle, newcomer, ...busy.slice(1)].map(({ destroyed }) => destroyed)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('closes a connection that is not taken before it is one', async () => {
    const connected: unknown[] = [];
    const port = await serve(
      { takesConnection: (address) => address !== '127.0.0.2' },
      (_request, response) => response.end('ok'),
    );
    servers[0]?.on('connection', ({ remoteAddress }: Socket) => connected.push(remoteAddress));
    const refused = await open(port, '127.0.0.2');
    if (!refused.destroyed) await once(refused, 'close');
    const taken = await open(port);
    taken.write(GET);
    await once(taken, 'data');
    expect(connected).toEqual(['127.0.0.1']);
  });

  it('answers any number of requests of one connection that waits for each response', async () => {
    const port = await serve({}, (_request, response) => response.end('ok'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const localPorts = new Set<number | undefined>();
    for (let nth = 0; nth < 12; nth += 1) {
      const [response]: IncomingMessage[] = await once(get({ port, host: '127.0.0.1', agent }), 'response');
      localPorts.add(response?.socket.localPort);
      expect(response && (await text(response))).toBe('ok');
    }
    agent.destroy();
    expect(localPorts.size).toBe(1);
  });

  it('closes a connection that does not wait for its responses, and parses no more of its requests', async () => {
    let requests = 0;
    let parsed = 0;
    const port = await serve({}, () => {
      requests += 1;
    });
    servers.at(-1)?.prependListener('request', () => {
      parsed += 1;
    });
    const client = await open(port);
    client.write(GET.repeat(100));
    await once(client, 'close');
    expect({ requests, parsed }).toEqual({ requests: 4, parsed: 5 });
  });

  it('refuses a request with more than a hundred headers, and parses nothing behind it', async () => {
    let requests = 0;
    const port = await serve({}, (_request, response) => {
      requests += 1;
      response.end('ok');
    });
    const codes: unknown[] = [];
    servers.at(-1)?.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
      codes.push(code);
      socket.destroy();
    });
    const ask = (headers: number) => `GET / HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(headers - 1)}\r\n`;
    const client = await open(port);
    client.write(ask(100));
    await once(client, 'data');
    client.write(ask(101) + GET.repeat(3));
    await once(client, 'close');
    expect({ requests, codes }).toEqual({ requests: 1, codes: ['HPE_HEADER_OVERFLOW'] });
  });

  it.each([
    ['sends nothing', '', ''],
    ['sends its headers by single bytes', 'GET / HTTP/1.1\r\nX: ', 'x'],
    ['stalls in its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx', ''],
    ['sends its body by single bytes', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n', 'x'],
  ])('ends a connection that %s', async (_, head, drip) => {
    const port = await serve(
      { requestTimeout: 300, headersTimeout: 200, checkTimeoutsEvery: 50 },
      (request, response) => void request.resume().once('end', () => response.end()),
    );
    const codes: unknown[] = [];
    servers.at(-1)?.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
      codes.push(code);
      socket.end('refused');
    });
    const client = await open(port);
    client.write(head);
    const dripping = setInterval(() => client.write(drip), 20);
    const received = await text(client);
    clearInterval(dripping);
    expect({ codes, received }).toEqual({ codes: ['ERR_HTTP_REQUEST_TIMEOUT'], received: 'refused' });
  });

  it('closes connections with the most unread bytes, and leaves the others', async () => {
    const port = await serve({ mostUnread: 30_000_000 }, ({ url }, response) => {
      response.end(Buffer.alloc(url === '/large' ? 40_000_000 : 10));
    });
    const reader = await open(port);
    const silent = await open(port);
    silent.pause();
    silent.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    silent.on('end', () => {});
    await new Promise((resolve) => servers[0]?.once('request', resolve));
    const left = await new Promise<number>((resolve) => {
      const asking = setInterval(() => {
        servers[0]?.getConnections((_error, count) => {
          if (count === 1) {
            clearInterval(asking);
            resolve(count);
          }
        });
      }, 50);
    });
    expect(left).toBe(1);
    reader.write(GET);
    await once(reader, 'data');
  });
});
