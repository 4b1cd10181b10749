import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorMessage } from '../lib/error-message.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { pathOf } from './security-headers.ts';

/** Of an address that nobody has, so much stands in the log; and of a reason. */
const LONGEST_TEXT = 200;

/** Between two failures that are told with their stacks, in milliseconds. */
const TELL_EVERY_MS = 5_000;

/** Says why a request is answered 503. */
export type NoteRefusal = (request: FastifyRequest, error: unknown) => void;

/**
 * One line a request: neither a visitor's address nor what was asked, docs/operations.md says what a log holds. A
 * refused one has its reason in it. The failure itself, with its stack, is told now and then: while the store is away
 * every request of many has the same.
 */
export function addRequestLog(app: FastifyInstance, now: () => number): NoteRefusal {
  const reasons = new WeakMap<FastifyRequest, string>();
  let toldAt = Number.NEGATIVE_INFINITY;

  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const path = pathOf(request.url).slice(0, LONGEST_TEXT);
    const line = { method: request.method, path, status: reply.statusCode, ms };
    const reason = reasons.get(request);
    if (reason === undefined) request.log.info(line);
    else request.log.warn({ ...line, reason });
  });

  return (request, error) => {
    const isAway = isStoreUnavailable(error);
    reasons.set(request, isAway ? 'the store cannot be reached' : errorMessage(error).slice(0, LONGEST_TEXT));
    if (now() - toldAt < TELL_EVERY_MS) return;
    toldAt = now();
    if (isAway) request.log.warn(error);
    else request.log.error(error);
  };
}
