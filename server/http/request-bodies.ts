import type { FastifyInstance } from 'fastify';
import { errorBody } from '../lib/error-codes.ts';

const NOT_COMPRESSED =
  'Send the body as it is, without a Content-Encoding: compressed request bodies are not accepted.';

/** Accepts JSON bodies that are uncompressed and within limits. */
export function addRequestBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const coding = request.headers['content-encoding'];
    if (coding === undefined || /^\s*(identity)?\s*$/i.test(coding)) done();
    else {
      const body = errorBody('UNSUPPORTED_MEDIA_TYPE', NOT_COMPRESSED);
      void reply.code(415).header('accept-encoding', 'identity').send(body);
    }
  });
  // No other types: a form on any site could post text/plain without a CORS preflight.
  app.removeContentTypeParser('text/plain');
}

/** Gives the routes of a plugin the bytes of a body of any type. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

/** The fields of a form that `acceptAnyBody` accepted; none if the body is empty. */
export function formFields(body: unknown): Record<string, string> {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
  return Object.fromEntries(new URLSearchParams(text));
}
