import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { NO_ROOM } from '../lib/free-bytes.ts';
import type { InventoryStatus, ServerStatus } from '../lib/server-status.ts';
import { VERSION } from '../lib/version.ts';
import type { NoteRefusal } from './request-log.ts';

interface HealthSetting {
  inventory: Readonly<InventoryStatus>;
  serverStatus: Readonly<ServerStatus>;
  /** Rejects if the store does not respond. */
  pingStore(): Promise<unknown>;
  hasPage(): boolean;
  /** Free bytes on the embedded store's disk; null if there is no such store. */
  freeBytes(): number | null;
  /** Whether the alerts' key file was removed. */
  isKeyMissing(): boolean;
  noteRefusal: NoteRefusal;
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
export function addHealthRoutes(app: FastifyInstance, setting: HealthSetting): void {
  const { inventory, serverStatus } = setting;
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: VERSION, inventory }),
  );
  app.get('/readyz', async (request, reply) => {
    const missing: string[] = [];
    if (serverStatus.isStopping) missing.push('The server is stopping.');
    await Promise.race([setting.pingStore(), lateStore()]).catch((error: unknown) => {
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

async function lateStore(): Promise<never> {
  await sleep(STORE_TIMEOUT_MS, null, { ref: false });
  throw new Error(`No response within ${STORE_TIMEOUT_MS} ms`);
}
