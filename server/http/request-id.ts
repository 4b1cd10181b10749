import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const HEADER = 'x-request-id';

const VALID_ID = /^[\w.:-]{8,64}$/;

/**
 * Matches ids that may contain a phone number: those of digits alone, and those with a British mobile number.
 */
const NUMBER = /^[^a-z]*$|(44|0)[\W_]*7([\W_]*\d){9}/i;

/**
 * The client's own request id if it is valid, else a new one. So one id identifies a request at proxies and
 * servers.
 */
export function requestId({ headers }: { headers: Readonly<Record<string, unknown>> }): string {
  const given = headers[HEADER];
  return typeof given === 'string' && VALID_ID.test(given) && !NUMBER.test(given) ? given : randomUUID();
}

/**
 * Adds the request's id to its response, so that operators can find an id that a visitor reports in the log.
 */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(HEADER, request.id);
    done();
  });
}
