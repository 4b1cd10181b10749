import type { FastifyInstance } from 'fastify';
import { NO_ROOM } from '../lib/free-bytes.ts';
import type { InventoryStatus, ServerStatus } from '../lib/server-status.ts';
import type { NoteRefusal } from './request-log.ts';

interface HealthSetting {
  inventory: Readonly<InventoryStatus>;
  serverStatus: Readonly<ServerStatus>;
  /** Rejects if the store does not answer. */
  pingStore(): Promise<unknown>;
  hasPage(): boolean;
  /** Free bytes on the disk of the embedded store; null if there is none. */
  freeBytes(): number | null;
  /** Whether the file of the alerts' key was removed. */
  isKeyMissing(): boolean;
  noteRefusal: NoteRefusal;
}

const UNAVAILABLE = 'The store does not answer, or a file of it was removed or replaced.';

const FULL =
  'The disk of the data folder is full: sign-ups, clicks and imports are refused until there is room. Searches are answered.';

const NO_KEY =
  'The file alerts.key is missing in the data folder: put your copy of it back before the server stops. Without it, no server can read the price alerts.';

/** Seconds: load balancers have intervals of their own, but every 503 says when to ask again. */
const RETRY_AFTER = '5';

/** Milliseconds to wait for the store: longer than failing over from a database server that hangs. */
const STORE_TIMEOUT = 4_000;

/**
 * `/healthz`: 200 while the process is alive, with the progress of its inventory. A supervisor restarts the server if it
 * does not answer. `/readyz`: 200, or 503 with what is missing. A load balancer sends visitors only on 200. `warnings`:
 * what the operator has to mend although visitors are best served here.
 */
export function addHealthRoutes(app: FastifyInstance, setting: HealthSetting): void {
  const { inventory, serverStatus } = setting;
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', inventory }),
  );
  app.get('/readyz', async (request, reply) => {
    const missing: string[] = [];
    if (serverStatus.isStopping) missing.push('The server is stopping.');
    await withTimeout(setting.pingStore()).catch((error: unknown) => {
      setting.noteRefusal(request, error);
      missing.push(UNAVAILABLE);
    });
    if (!setting.hasPage()) missing.push('The page has not been built: run npm run build.');
    const free = setting.freeBytes();
    const warnings = [
      ...(free !== null && free < NO_ROOM ? [FULL] : []),
      ...(setting.isKeyMissing() ? [NO_KEY] : []),
    ];
    if (missing.length > 0) reply.code(503).header('retry-after', RETRY_AFTER);
    return reply
      .header('cache-control', 'no-store')
      .send({ status: missing.length === 0 ? 'ready' : 'not ready', missing, warnings });
  });
}

async function withTimeout(answer: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${STORE_TIMEOUT} ms`)), STORE_TIMEOUT);
  try {
    await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
