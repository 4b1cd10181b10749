import type { FastifyInstance } from 'fastify';
import type { InventoryStatus, ServerStatus } from '../lib/server-status.ts';
import type { NoteRefusal } from './request-log.ts';

export interface HealthSetting {
  inventory: Readonly<InventoryStatus>;
  serverStatus: Readonly<ServerStatus>;
  /** Resolves where the store answers a question; rejects where it does not. */
  pingStore(): Promise<unknown>;
  /** Whether there is a page to serve. */
  hasPage(): boolean;
  noteRefusal: NoteRefusal;
}

/**
 * A store that has not answered by then, in milliseconds, counts as not answering: longer than it takes to find out
 * that one of its servers hangs and to ask another.
 */
const PATIENCE = 4_000;

/**
 * `/healthz`: the process is alive, and how far its inventory has come; a supervisor restarts what does not answer.
 * `/readyz`: it may be sent visitors, or 503 and what is missing; a load balancer sends none until that is mended.
 */
export function addHealthRoutes(app: FastifyInstance, setting: HealthSetting): void {
  const { inventory, serverStatus: lifecycle } = setting;
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', inventory }),
  );
  app.get('/readyz', async (request, reply) => {
    const missing: string[] = [];
    if (lifecycle.isStopping) missing.push('The server is stopping.');
    await withinPatience(setting.pingStore()).catch((error: unknown) => {
      setting.noteRefusal(request, error);
      missing.push('The store does not answer.');
    });
    if (!setting.hasPage()) missing.push('The page has not been built: run npm run build.');
    return reply
      .code(missing.length === 0 ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: missing.length === 0 ? 'ready' : 'not ready', missing });
  });
}

async function withinPatience(answer: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${PATIENCE} ms`)), PATIENCE);
  try {
    await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
