import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The status in the log and in metrics of a request whose sender hung up before the response was sent, as in nginx. */
export const CALLER_GONE = 499;

/**
 * Calls `ended` when a response has been sent, or when its client has hung up before: with the status 499 then. Fastify's
 * `onResponse` says nothing of those, and many clients that give up are the first sign of an overload.
 */
export function whenEnded(
  app: FastifyInstance,
  ended: (request: FastifyRequest, reply: FastifyReply, status: number) => void,
): void {
  app.addHook('onRequest', async (request, reply) => {
    let isSent = false;
    reply.raw.once('finish', () => {
      isSent = true;
      ended(request, reply, reply.statusCode);
    });
    reply.raw.once('close', () => {
      if (!isSent) ended(request, reply, CALLER_GONE);
    });
  });
}
