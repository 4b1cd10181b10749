import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type ErrorCode, errorBody } from '../lib/error-codes.ts';
import { requestId } from './request-id.ts';
import type { SentResponse } from './request-log.ts';

/** Our error codes by those of Node's parser. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/**
 * Responds to requests that reach no route because their URL or bytes are invalid. Sets security headers and
 * the request id itself, because Fastify runs no hooks for them.
 */
export function malformedRequests(
  headers: Readonly<Record<string, string>>,
  observe: (response: SentResponse) => void,
  logger: () => FastifyBaseLogger,
) {
  function note(method: string, id: string, status: number): void {
    observe({ method, route: null, status, ms: 0 });
    logger().info({ reqId: id, method, status }, 'Malformed request');
  }
  return {
    /** Called for URLs that cannot be decoded, such as `/%`. */
    frameworkErrors(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
      const { status } = ERRORS.BAD_REQUEST;
      const sentence = 'The URL is not valid: check its percent-encoding.';
      note(request.method, request.id, status);
      void reply
        .headers({ ...headers, 'x-request-id': request.id })
        .code(status)
        .send(errorBody('BAD_REQUEST', sentence));
    },
    /** Called for bytes that are not HTTP, headers that are too large, and slow requests. */
    clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
      // The connection is unusable, or another response has already begun on it.
      if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesWritten > 0) {
        socket.destroy(error);
        return;
      }
      const code = CODES[error.code ?? ''] ?? 'BAD_REQUEST';
      const { status } = ERRORS[code];
      const id = requestId({ headers: {} });
      note('none', id, status);
      socket.end(responseText(status, errorBody(code), { ...headers, 'x-request-id': id }));
    },
  };
}

function responseText(status: number, content: object, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(content);
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
