import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the network does to a request, once. */
export const FAULTS = ['drops', 'delays', 'answers 502 to', "answers a portal's page to"] as const;
export type Fault = (typeof FAULTS)[number];

export interface BadNetwork {
  url: string;
  /** The resources requested so far, in order: paths, and the names of GraphQL queries. */
  requested: Set<string>;
  /** Makes the next request for a resource fail. */
  failOnce: (resource: string, fault: Fault) => void;
  close: () => Promise<void>;
}

const DELAY_MS = 1_500;
const HTML = { 'content-type': 'text/html' };

/** A proxy in front of a server, which fails one request. */
export async function startBadNetwork(server: string): Promise<BadNetwork> {
  const requested = new Set<string>();
  let armed: { resource: string; fault: Fault } | null = null;

  const proxy = createServer((incoming, outgoing) => void answer(incoming, outgoing));

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const resource = nameOf(incoming.url ?? '/', body.toString());
    requested.add(resource);
    const fault = armed?.resource === resource ? armed.fault : null;
    if (fault !== null) armed = null;
    switch (fault) {
      case 'drops':
        return void incoming.socket.destroy();
      case 'answers 502 to':
        return void outgoing.writeHead(502, HTML).end('<h1>Bad gateway</h1>');
      case "answers a portal's page to":
        return void outgoing.writeHead(200, HTML).end('<h1>Log in to our Wi-Fi</h1>');
      case 'delays':
        return void setTimeout(() => forward(server, incoming, body, outgoing), DELAY_MS);
      case null:
        return forward(server, incoming, body, outgoing);
    }
  }

  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requested,
    failOnce(resource, fault) {
      armed = { resource, fault };
    },
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

function nameOf(url: string, body: string): string {
  const { pathname } = new URL(url, 'http://proxy');
  // Without the build's hash.
  if (pathname !== '/graphql') return pathname.replace(/-[\w-]{8}(?=\.\w+$)/, '');
  const { query = '' } = JSON.parse(body) as { query?: string };
  return `/graphql ${/\b(searchPackages|cheapestDates|priceCalendar|explore|priceAnalysis|priceHistory)\b/.exec(query)?.[0] ?? ''}`;
}

function forward(server: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const sent = request(`${server}${url}`, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  sent.end(body);
}
