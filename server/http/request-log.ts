import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorMessage } from '../lib/error-message.ts';
import { overloadIn } from '../lib/overloaded.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { whenEnded } from './ended-responses.ts';
import { loggedPath } from './logged-path.ts';

/** Characters of a reason that are logged. */
const MAX_TEXT = 200;

/** Milliseconds between two failures that are logged with their stacks. */
const STACK_EVERY_MS = 5_000;

/** Notes the reason for a response with 500 or 503: an error, or a text for what needs no stack. */
export type NoteRefusal = (request: FastifyRequest, error: unknown) => void;

/**
 * Logs one line per request, without the visitor's address and the query (docs/operations.md describes the log). A 500 or
 * 503 has its reason in its line. Failures are logged with their stacks at limited intervals: while the store is
 * unavailable, or one record is damaged, every request fails in the same way. `now` is in milliseconds of a monotonic
 * clock.
 */
export function addRequestLog(app: FastifyInstance, now: () => number): NoteRefusal {
  const reasons = new WeakMap<FastifyRequest, string>();
  /** When a stack was logged last: a store that is away hides no other failure. */
  const stackLoggedAt = { away: Number.NEGATIVE_INFINITY, failed: Number.NEGATIVE_INFINITY };

  whenEnded(app, (request, reply, status) => {
    const line = requestLine(request, status, reply.elapsedTime);
    const reason = reasons.get(request);
    if (reason === undefined) request.log.info(line);
    else request.log.warn({ ...line, reason });
  });

  return (request, error) => {
    const overload = overloadIn(error);
    if (typeof error === 'string' || overload !== null) {
      reasons.set(request, typeof error === 'string' ? error : 'a queue is too long');
      return;
    }
    const isAway = isStoreUnavailable(error);
    reasons.set(request, isAway ? 'the store cannot be reached' : errorMessage(error).slice(0, MAX_TEXT));
    const kind = isAway ? 'away' : 'failed';
    if (now() - stackLoggedAt[kind] < STACK_EVERY_MS) return;
    stackLoggedAt[kind] = now();
    if (isAway) request.log.warn(error);
    else request.log.error(error);
  };
}

/** What the log says about each response. */
export function requestLine({ method, url }: { method: string; url: string }, status: number, ms: number) {
  return { method, path: loggedPath(url), status, ms: tenths(ms) };
}

/** Milliseconds as the log has them, to the tenth. */
export const tenths = (ms: number) => Math.round(ms * 10) / 10;
