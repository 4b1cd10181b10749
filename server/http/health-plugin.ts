import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
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
  /** Whether the alerts' key file was removed. */
  isKeyMissing(): boolean;
}

/** Something wrong, as `/readyz` shows it. */
interface Problem {
  summary: string;
  remedy: string | null;
  /** Omitted: not shown. */
  readyz?: 'missing' | 'warnings';
}

export interface HealthOptions extends Pick<ServerHealth, 'inventory' | 'serverStatus'> {
  /** Rejects if the store does not respond. */
  pingStore(): Promise<unknown>;
  /** What is wrong. `storeFault`: why the store does not respond; null if it does. */
  problems(storeFault: string | null): Promise<readonly Problem[]>;
}

const UNAVAILABLE = 'no response, or one of its files was removed or replaced';

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
    const storeFault = await Promise.race([setting.pingStore(), lateStore()]).then(
      () => null,
      (error: unknown) => {
        request.noteRefusal(error);
        return UNAVAILABLE;
      },
    );
    const problems = await setting.problems(storeFault);
    const shownAs = (place: 'missing' | 'warnings') =>
      problems.filter(({ readyz }) => readyz === place).map(({ summary, remedy }) => `${summary} ${remedy}`);
    const missing = [...(serverStatus.isStopping ? ['The server is stopping.'] : []), ...shownAs('missing')];
    const warnings = shownAs('warnings');
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
