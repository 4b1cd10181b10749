import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { NO_ROOM } from '../lib/free-bytes.ts';
import { VERSION } from '../lib/version.ts';

/** The server's state. `main` writes it, the app reads it. */
export interface ServerStatus {
  /** True after SIGTERM: the server only finishes requests that it has accepted. */
  isStopping: boolean;
}

/** The state of the inventory, for `/healthz`. */
export interface InventoryStatus {
  loading: boolean;
  /** The last departure day on sale (YYYY-MM-DD); null if unknown. */
  throughDay: string | null;
  /** The number of offers when they were last counted; null before the first count. */
  offers: number | null;
}

/** What the server knows about itself and its machine. */
export interface ServerHealth {
  inventory: Readonly<InventoryStatus>;
  serverStatus: Readonly<ServerStatus>;
  /** Free bytes on the embedded store's disk; null if unknown, or if there is no such store. */
  freeBytes(): number | null;
  /** Why servers of the store are not used. */
  storeFaults(): string[];
  /** Whether the alerts' key file was removed. */
  isKeyMissing(): boolean;
  /** Sentences about providers without packages on sale. */
  saleWarnings(): Promise<string[]>;
}

export interface HealthOptions extends ServerHealth {
  /** Rejects if the store does not respond. */
  pingStore(): Promise<unknown>;
  hasPage(): boolean;
  /** What is not done yet after an upgrade or a new setting. */
  unfinishedWork(): Promise<string[]>;
}

const UNAVAILABLE = 'The store does not respond, or one of its files was removed or replaced.';

const FULL =
  'The disk of the data folder is full: sign-ups, clicks and imports are refused until there is space. Searches still work.';

const NO_KEY =
  'The file alerts.key is missing in the data folder: restore your copy before the server stops. Without it, no server can read the price alerts.';

/** In seconds, for every 503. */
const RETRY_AFTER = '5';

/** Longer than it takes to switch from a hanging database server to another. */
const STORE_TIMEOUT_MS = 4_000;

/**
 * `/healthz`: 200 while the process is alive, with its version and the inventory's progress. `/readyz`: 200, or 503 with what
 * is missing. `warnings` list what the operator should fix although the server can serve visitors.
 */
export async function healthPlugin(app: FastifyInstance, setting: HealthOptions): Promise<void> {
  const { inventory, serverStatus } = setting;
  app.get('/healthz', { config: { limit: 'none' } }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: VERSION, inventory }),
  );
  app.get('/readyz', { config: { limit: 'none', isPrompt: true } }, async (request, reply) => {
    const missing: string[] = [];
    if (serverStatus.isStopping) missing.push('The server is stopping.');
    const unfinished = Promise.race([setting.unfinishedWork(), lateStore()]).catch(() => []);
    await Promise.race([setting.pingStore(), lateStore()]).catch((error: unknown) => {
      request.noteRefusal(error);
      missing.push(UNAVAILABLE);
    });
    if (!setting.hasPage()) missing.push('The page has not been built: run npm run build.');
    const free = setting.freeBytes();
    const warnings = [
      ...setting.storeFaults(),
      ...(await unfinished),
      ...(free !== null && free < NO_ROOM ? [FULL] : []),
      ...(setting.isKeyMissing() ? [NO_KEY] : []),
      ...(await setting.saleWarnings()),
    ];
    if (missing.length > 0) reply.code(503).header('retry-after', RETRY_AFTER);
    return reply
      .header('cache-control', 'no-store')
      .send({ status: missing.length === 0 ? 'ready' : 'not ready', missing, warnings });
  });
}

async function lateStore(): Promise<never> {
  await sleep(STORE_TIMEOUT_MS, null, { ref: false });
  throw new Error(`No response within ${STORE_TIMEOUT_MS} ms`);
}
