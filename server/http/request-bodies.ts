import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CallerGone } from '../lib/caller.ts';
import { forbiddenKey } from './forbidden-key.ts';
import { type HeldBody, heldBodies } from './held-bodies.ts';
import { exceedsJsonLimits, type JsonLimits } from './json-limits.ts';

/** The largest legitimate body, a sign-up with its whole package, has fewer than 10 levels and 200 values. */
const JSON_LIMITS: JsonLimits = { depth: 64, commas: 2_000 };

const TOO_MUCH_JSON = {
  depth: "The body's JSON is nested more than 64 levels deep: send one with fewer levels.",
  commas: "The body's JSON has more than 2000 values: send one with fewer.",
};

/** Bytes of all bodies that are being uploaded or processed. */
export const MAX_HELD = 32 * 1024 * 1024;

/** Bodies that are being uploaded. Others' arrive within milliseconds, so that slow ones make room for them. */
export const MOST_UPLOADS = 1_000;

/** Bytes that are set aside for a body at first: a search fits. */
const FIRST_BUFFER = 2_048;

/** An announced length is set aside, and need not be copied, up to so many times what has arrived. */
const BELIEVED = 8;

const EMPTY = new Uint8Array();

/** An expected fault of a request's body. Its message is sent to the client. */
class BodyFault extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** What to send instead, by the codes of what the framework finds wrong with a body. */
export const BODY_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    'A body of this Content-Type is not taken here: send JSON, with Content-Type: application/json.',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'The body is empty: send JSON.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON: look for what is cut off or not in quotes.',
};

/** Reads the raw body of a request, within its route's limit and the memory for all bodies. */
export type ReadBody = (request: FastifyRequest, payload: IncomingMessage) => Promise<Buffer>;

/**
 * Takes JSON bodies within limits: bytes by the route's `bodyLimit`, nesting, the memory of all bodies together, and how
 * many are being uploaded. The time limit is the server's. Returns the reader for routes that need raw bytes.
 */
export function addRequestBodies(
  app: FastifyInstance,
  mostHeld = MAX_HELD,
  mostUploads = MOST_UPLOADS,
): ReadBody {
  const bodies = heldBodies(mostHeld, mostUploads);
  const heldOf = new WeakMap<FastifyRequest, { body: HeldBody; ended: AbortSignal }>();

  app.addHook('preParsing', async (request, reply) => {
    if (!hasBody(request)) return;
    const ending = new AbortController();
    const body = bodies.hold(() => ending.abort());
    heldOf.set(request, { body, ended: ending.signal });
    reply.raw.once('close', () => body.release());
  });

  // A client may take minutes to read its answer, for which nobody needs its body any more.
  app.addHook('onSend', async (request) => {
    const held = heldOf.get(request);
    if (held === undefined) return;
    request.body = undefined;
    held.body.release();
  });

  const readBody: ReadBody = async (request, payload) => {
    const held = heldOf.get(request);
    if (held === undefined) return Buffer.from(EMPTY);
    try {
      return await collect(request, payload, held.body, held.ended);
    } catch (error) {
      // Its bytes are dropped while the response to it may still be on its way.
      held.body.release();
      throw error;
    }
  };

  const parseJson = app.getDefaultJsonParser('error', 'error');
  // A form on any site could post text/plain here without a CORS preflight.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await readBody(request, payload);
    const excess = exceedsJsonLimits(bytes, JSON_LIMITS);
    if (excess !== null) throw new BodyFault(400, TOO_MUCH_JSON[excess]);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const text = bytes.toString('utf8');
    void parseJson(request, text, (error, value) =>
      error ? reject(jsonFault(error, text)) : resolve(value),
    );
    return await promise;
  });
  return readBody;
}

/** The parser calls a forbidden key JSON that is not valid. */
function jsonFault(error: Error, text: string): Error {
  try {
    const key = forbiddenKey(JSON.parse(text));
    return key === null
      ? error
      : new BodyFault(400, `The body's JSON has a key that is not allowed: ${key}. Send it without.`);
  } catch {
    return error;
  }
}

/** Whether a request announces a body. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Copies the parts into one growing buffer: a body of single bytes in thousands of parts costs no more than others. */
function collect(
  { headers, routeOptions: { bodyLimit } }: FastifyRequest,
  payload: IncomingMessage,
  held: HeldBody,
  ended: AbortSignal,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const announced = Number(headers['content-length'] ?? Number.NaN);
  const announcedSize = Number.isFinite(announced) ? announced : 0;
  let buffer = Buffer.alloc(0);
  let length = 0;

  function give(error: Error): void {
    payload.off('data', take);
    // The rest is not read: Fastify closes the connection after the response.
    payload.pause();
    reject(error);
  }
  function take(part: Buffer): void {
    const needed = length + part.length;
    if (needed > bodyLimit) {
      give(tooLarge(bodyLimit));
      return;
    }
    if (needed > buffer.length) {
      // What is announced is believed of a client that has sent a part of it: two thousand that send a byte hold little.
      const believed = Math.min(announcedSize, BELIEVED * needed);
      const size = Math.min(bodyLimit, Math.max(needed, believed, 2 * buffer.length, FIRST_BUFFER));
      if (!held.resize(size)) {
        give(busy());
        return;
      }
      const grown = Buffer.allocUnsafeSlow(size);
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
    }
    part.copy(buffer, length);
    length = needed;
  }

  if (announced > bodyLimit) {
    give(tooLarge(bodyLimit));
    return promise;
  }
  if (ended.aborted) {
    give(busy());
    return promise;
  }
  ended.addEventListener('abort', () => give(busy()), { once: true });
  payload.on('data', take);
  payload.once('error', () => give(new CallerGone()));
  payload.once('end', () => {
    held.complete();
    resolve(buffer.subarray(0, length));
  });
  return promise;
}

function tooLarge(limit: number): BodyFault {
  return new BodyFault(413, `The body is larger than ${limit} bytes: send a smaller one.`);
}

function busy(): BodyFault {
  return new BodyFault(503, 'Too many uploads are in progress: please try again in a few seconds.');
}
