import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const HEADER = 'x-request-id';

const VALID_ID = /^[\w.:-]{8,64}$/;

/** Matches ids that may contain a phone number: digits alone, or with a British mobile number. */
const NUMBER = /^[^a-z]*$|(44|0)[\W_]*7([\W_]*\d){9}/i;

/** The client's own request id if it is valid, so that proxies and servers share it; else a new one. */
export function requestId({ headers }: { headers: Readonly<Record<string, unknown>> }): string {
  const given = headers[HEADER];
  return typeof given === 'string' && VALID_ID.test(given) && !NUMBER.test(given) ? given : randomUUID();
}

/** Adds the request's id to its response, so that operators can find a visitor's report in the log. */
export function addRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(HEADER, request.id);
    done();
  });
}
