import type { FastifyInstance } from 'fastify';
import { hasBody } from './request-bodies.ts';

const NOT_COMPRESSED =
  'Send the body as it is, without a Content-Encoding: compressed request bodies are not taken.';

/**
 * Refuses compressed request bodies with 415 before reading them. A few bytes can unpack to gigabytes, and no legitimate
 * request is large enough to need compression.
 */
export function refuseCompressedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request) || isPlain(request.headers['content-encoding'])) return;
    return reply.code(415).header('accept-encoding', 'identity').send({ error: NOT_COMPRESSED });
  });
}

function isPlain(encoding: string | undefined): boolean {
  return encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding);
}
