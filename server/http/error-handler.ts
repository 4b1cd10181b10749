import type { FastifyError, FastifyInstance } from 'fastify';
import { isCallerGone } from '../lib/caller.ts';
import { codeOfStatus, ERRORS, type ErrorCode, errorBody } from '../lib/error-codes.ts';
import { overloadIn } from '../lib/overloaded.ts';
import { isStoreUnavailable } from '../lib/store-unavailable.ts';
import { isThreadEnded } from '../lib/thread-ended.ts';
import { CALLER_GONE } from './request-log.ts';

interface Failure {
  code: ErrorCode;
  sentence?: string;
  retryAfter?: number;
}

/** Our messages for the framework's error codes. */
const FRAMEWORK_ERRORS: Readonly<Record<string, Failure>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    sentence: 'This Content-Type is not accepted here: send JSON, with Content-Type: application/json.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'BAD_REQUEST', sentence: 'The body is empty: send JSON.' },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    code: 'BAD_REQUEST',
    sentence: 'The body is not valid JSON: look for missing brackets or quotes.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'BAD_REQUEST',
    sentence: 'The length of the body does not match its Content-Length.',
  },
};

/** Responds to errors with a code and a sentence, and adds a code to error bodies that have none. */
export function addErrorHandler(app: FastifyInstance): void {
  app.addHook('preSerialization', async (_request, reply, payload) =>
    reply.statusCode >= 400 ? withCode(payload, reply.statusCode) : payload,
  );
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    reply.header('cache-control', 'no-store');
    // The path cannot be a file's, because it contains `/../` or has a name of 300 characters.
    if (error.code === 'FST_STATIC_FORBIDDEN_PATH') return reply.callNotFound();
    // The client has disconnected, so the status is only for the log.
    if (isCallerGone(error)) return reply.code(CALLER_GONE).send();
    const { code, sentence, retryAfter } = failureOf(error, request.routeOptions.bodyLimit);
    const { status } = ERRORS[code];
    if (status >= 500) request.noteRefusal(error);
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
    return reply.code(status).send(errorBody(code, sentence));
  });
}

function failureOf(error: Error & { code?: string; statusCode?: number }, bodyLimit: number): Failure {
  if (isStoreUnavailable(error)) return { code: 'STORE_UNAVAILABLE', retryAfter: 5 };
  const overload = overloadIn(error);
  if (overload !== null) return { code: 'OVERLOADED', retryAfter: overload.retryAfter };
  if (isThreadEnded(error)) return { code: 'INTERRUPTED', retryAfter: 2 };
  const { code = '', statusCode = 500, message } = error;
  const known = FRAMEWORK_ERRORS[code];
  if (known !== undefined) return known;
  if (statusCode === 413) {
    const sentence = `The body is larger than ${bodyLimit} bytes: send a smaller one.`;
    return { code: 'BODY_TOO_LARGE', sentence };
  }
  // Replaces the rate limiter's message.
  if (statusCode === 429) return { code: 'RATE_LIMITED' };
  return statusCode < 500 ? { code: codeOfStatus(statusCode), sentence: message } : { code: 'INTERNAL' };
}

/** Routes may send only `{ error }` or `{ message }`; this adds the code. */
function withCode(payload: unknown, status: number): unknown {
  const isError =
    typeof payload === 'object' && payload !== null && ('error' in payload || 'message' in payload);
  return isError && !('code' in payload) ? { ...payload, code: codeOfStatus(status) } : payload;
}
