import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ProviderStub {
  url: string;
  requests: { path: string; headers: Record<string, unknown>; body: string }[];
  /** What the next calls are answered with. */
  answer: { status: number; body: string; headers?: Record<string, string> };
  close(): Promise<void>;
}

/** A server that keeps what it is asked and answers as it is told. */
export async function startProviderStub(): Promise<ProviderStub> {
  const stub: Omit<ProviderStub, 'url' | 'close'> = { requests: [], answer: { status: 200, body: '{}' } };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      stub.requests.push({ path: request.url ?? '', headers: request.headers, body });
      const { status, body: answer, headers } = stub.answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(stub, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
