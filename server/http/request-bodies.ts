import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorBody } from '../lib/error-codes.ts';
import { jsonFault } from './json-fault.ts';

const NOT_COMPRESSED =
  'Send the body as it is, without a Content-Encoding: compressed request bodies are not accepted.';

/** An expected fault in a request's body. The client gets its message. */
class BodyFault extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Accepts JSON bodies that are uncompressed and within limits. */
export function addRequestBodies(app: FastifyInstance): ReadBody {
  app.addHook('onRequest', (request, reply, done) => {
    const coding = request.headers['content-encoding'];
    if (coding === undefined || /^\s*(identity)?\s*$/i.test(coding)) done();
    else {
      const body = errorBody('UNSUPPORTED_MEDIA_TYPE', NOT_COMPRESSED);
      void reply.code(415).header('accept-encoding', 'identity').send(body);
    }
  });
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore');
  // No other types: a form on any site could post text/plain without a CORS preflight.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    void parseJson(request, String(text), (error, value) => {
      const fault = error ? null : jsonFault(value);
      done(fault === null ? error : new BodyFault(400, fault), value);
    });
  });
  return readBody;
}

export type ReadBody = (request: FastifyRequest, payload: IncomingMessage) => Promise<Buffer>;

/** Reads the raw body of a request, up to its route's limit. */
async function readBody(
  { headers, routeOptions }: FastifyRequest,
  payload: IncomingMessage,
): Promise<Buffer> {
  if (Number(headers['content-length']) > routeOptions.bodyLimit) throw new BodyFault(413, '');
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of payload as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > routeOptions.bodyLimit) throw new BodyFault(413, '');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
