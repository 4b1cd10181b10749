import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const HEADER = 'x-request-id';

/** Letters are asked for, so that nobody's number can stand in a log as an id. */
const SANE = /^(?=.*[a-z])[\w.:-]{8,64}$/i;

/** A request's id: its sender's where that is sane, so that one id runs through proxies and servers; else a new one. */
export function requestId({ headers }: { headers: Readonly<Record<string, unknown>> }): string {
  const given = headers[HEADER];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

/** Tells every request's id in its answer: what a visitor reads out is found in the log. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(HEADER, request.id);
  });
}
