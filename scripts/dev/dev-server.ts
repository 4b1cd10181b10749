import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Plugin } from 'vite';
import { PAGE_URLS } from '../../server/page/page-plugin.ts';
import { forwardRequest } from './forward-request.ts';
import { runServer, type ServerProcess } from './run-server.ts';
import { answerSentinel, SENTINEL_ROWS } from './sentinels.ts';

/** A change in these folders restarts the server. */
const SERVER_SOURCES = /\/(?:server|domain|assets)\/(?!.*\.test\.ts$)/;

/** Folders that contain neither source code nor anything for Vite to serve. */
const NOT_SOURCE = ['data', 'secrets', 'dist', 'screenshots'];

/** Paths that Vite serves: HTML pages in the project's root, source folders, and its own paths. */
const VITE = /^\/(?:[\w-]+\.html$|@|(?:web|widget|domain|assets|node_modules)\/)/;

/** The widget's fixed path, where the build puts its bundle. */
const WIDGET = '/widget/price-analysis.js';

/** The list of destinations, which gets the places that show failures. */
const LOCATIONS = '/data/locations.csv';

export interface DevServer {
  url: string;
  close: () => Promise<void>;
}

/**
 * Serves the page from its sources with hot reload, and restarts the server on a change, both at the same
 * URL. `log` receives one line per event.
 */
export async function startDevServer(
  root: string,
  { port, log }: { port: number; log: (line: string) => void },
): Promise<DevServer> {
  const server = runServer(root, log);
  try {
    const vite = await createServer({
      root,
      configFile: `${root}/vite.config.ts`,
      appType: 'mpa',
      logLevel: 'warn',
      plugins: [servedByServer(server, log)],
      server: {
        host: '127.0.0.1',
        port,
        strictPort: true,
        fs: { deny: ['.env', '.git/**', '*.key', ...NOT_SOURCE.map((folder) => `${root}/${folder}/**`)] },
        watch: { ignored: [...NOT_SOURCE, '.git', 'docs'].map((folder) => `${root}/${folder}/**`) },
      },
    });
    await vite.listen();
    return {
      url: (vite.resolvedUrls?.local[0] ?? '').replace(/\/$/, ''),
      async close() {
        await Promise.all([vite.close(), server.stop()]);
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Whether a path is one of the page's, with or without a final slash. */
function isPage(path: string): boolean {
  return PAGE_URLS.includes(path === '/' ? path : path.replace(/\/$/, ''));
}

/** Forwards requests that are not for the page's sources to the server, and restarts it on changes. */
function servedByServer(server: ServerProcess, log: (line: string) => void): Plugin {
  return {
    name: 'served-by-server',
    configureServer(vite) {
      vite.watcher.on('all', (_event, path) => {
        if (!SERVER_SOURCES.test(path.replaceAll('\\', '/').slice(vite.config.root.length))) return;
        server.restart();
      });
      async function answerOrForward(request: IncomingMessage, response: ServerResponse, path: string) {
        if (path === LOCATIONS) {
          const list = await fetch((await server.url()) + path);
          response.writeHead(list.status, { 'content-type': 'text/csv', 'cache-control': 'no-store' });
          response.end(`${(await list.text()).trimEnd()}\n${SENTINEL_ROWS}`);
        } else if (!(await answerSentinel(request, response, server.url))) {
          await forwardRequest(request, response, server.url);
        }
      }
      vite.middlewares.use((request, response, next) => {
        const [path = '/'] = (request.url ?? '/').split('?', 1);
        if (isPage(path)) request.url = '/index.html';
        else if (path === WIDGET) request.url = WIDGET.replace(/js$/, 'ts');
        else if (!VITE.test(path)) {
          answerOrForward(request, response, path).catch((error: unknown) => {
            if (response.destroyed) return;
            log(`${request.method} ${path} failed: ${String(error)}`);
            if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
            response.end('The server is not running. Its terminal output says why.');
          });
          return;
        }
        next();
      });
    },
  };
}
