import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage } from '../lib/error-message.ts';
import { overloadIn } from '../lib/overloaded.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { loggedPath } from './logged-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Notes the error that makes the request fail with 500 or 503. */
    noteRefusal(error: unknown): void;
  }
}

/** The most characters of a reason to log. */
const MAX_TEXT = 200;

/** The shortest time between two stack traces in the log. */
const STACK_EVERY_MS = 5_000;

/** The status logged if the client disconnected before the response, as in nginx. */
export const CALLER_GONE = 499;

/** A response that has been sent. `route` is null for an unknown path. */
export interface SentResponse {
  method: string;
  route: string | null;
  status: number;
  ms: number;
}

/**
 * Logs a line per request, without the visitor's IP address or the query, and passes the response to
 * `observe`. For a 500 or 503, the line states the reason. Stack traces are logged at intervals only. `now` is
 * in monotonic milliseconds.
 */
export function addRequestLog(
  app: FastifyInstance,
  now: () => number,
  observe: (response: SentResponse) => void = () => {},
): void {
  const reasons = new WeakMap<FastifyRequest, string>();
  /** Stack traces of store failures and of other errors have separate intervals. */
  const stackLoggedAt = { away: Number.NEGATIVE_INFINITY, failed: Number.NEGATIVE_INFINITY };

  function noteEnd(request: FastifyRequest, { elapsedTime }: FastifyReply, status: number): void {
    const { method, url, is404, routeOptions, log } = request;
    observe({ method, route: is404 ? null : (routeOptions.url ?? null), status, ms: elapsedTime });
    const line = { method, path: loggedPath(url), status, ms: Math.round(elapsedTime * 10) / 10 };
    const reason = reasons.get(request);
    if (reason === undefined) log.info(line);
    else log.warn({ ...line, reason });
  }

  // Fastify's `onResponse` does not run if the client disconnects first.
  app.addHook('onRequest', (request, reply, done) => {
    let isSent = false;
    reply.raw.once('finish', () => {
      isSent = true;
      noteEnd(request, reply, reply.statusCode);
    });
    reply.raw.once('close', () => {
      if (!isSent) noteEnd(request, reply, CALLER_GONE);
    });
    done();
  });

  app.decorateRequest('noteRefusal', function noteRefusal(this: FastifyRequest, error: unknown): void {
    if (overloadIn(error) !== null) {
      reasons.set(this, 'a queue is too long');
      return;
    }
    const isAway = isStoreUnavailable(error);
    reasons.set(this, isAway ? 'the store cannot be reached' : errorMessage(error).slice(0, MAX_TEXT));
    const kind = isAway ? 'away' : 'failed';
    if (now() - stackLoggedAt[kind] < STACK_EVERY_MS) return;
    stackLoggedAt[kind] = now();
    if (isAway) this.log.warn(error);
    else this.log.error(error);
  });
}
