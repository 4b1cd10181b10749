import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.csv': 'text/csv',
};

export interface StaticHost {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves static files, and the front page for any other URL. `extra` has texts by path, such as a
 * config.json. Each response has these `headers`.
 */
export async function startStaticHost(
  folder: string,
  extra: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<StaticHost> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://host').pathname);
    const text = extra[path];
    if (text !== undefined) {
      response
        .writeHead(200, { ...headers, 'content-type': TYPES[extname(path)] ?? 'application/json' })
        .end(text);
      return;
    }
    const wanted = join(folder, path);
    const file = existsSync(wanted) && statSync(wanted).isFile() ? wanted : join(folder, 'index.html');
    response.writeHead(200, {
      ...headers,
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
