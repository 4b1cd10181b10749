import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { isLocalRequest } from '../http/local-request.ts';
import { constantTimeEqual } from '../lib/constant-time-equal.ts';

export interface MetricsOptions {
  registry: Registry;
  /** Null if no client has a token. */
  token: string | null;
  /** Whether this machine may read the metrics without a token. */
  isOpenLocally: boolean;
}

/**
 * `GET /metrics` in Prometheus's text format. Requires the bearer token; if none is configured, only this machine may
 * read the metrics, but not in production, where a local proxy may forward requests. Other requests get 404.
 */
export async function metricsPlugin(
  app: FastifyInstance,
  { registry, token, isOpenLocally }: MetricsOptions,
): Promise<void> {
  app.get('/metrics', { config: { limit: 'none' } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (token === null && !(isOpenLocally && isLocalRequest(request))) {
      return reply.code(404).send({ error: 'Not found.' });
    }
    if (token !== null && !constantTimeEqual(request.headers.authorization ?? '', `Bearer ${token}`)) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ error: 'Send METRICS_TOKEN as a bearer token.' });
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
