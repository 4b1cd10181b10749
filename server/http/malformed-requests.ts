import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/ip-address.ts';
import { TOO_MANY_PARTS } from './body-parts.ts';
import { NO_HOST, NO_TUNNEL, TWO_HOSTS, UNKNOWN_CODING, UNKNOWN_EXPECTATION } from './bounded-server.ts';
import { heldRefusals } from './held-refusals.ts';

const ANSWERS: Readonly<Record<string, { status: string; error: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'The request took too long to arrive: please send it again.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The headers are larger than 16 kB, or more than 100: send fewer or shorter ones.',
  },
  [NO_HOST]: {
    status: '400 Bad Request',
    error: 'The request has no Host header: send one with the name of the site.',
  },
  [TWO_HOSTS]: {
    status: '400 Bad Request',
    error: 'The request has several Host headers: send one with the name of the site.',
  },
  [UNKNOWN_EXPECTATION]: {
    status: '417 Expectation Failed',
    error: 'The Expect header is not 100-continue: send the request without it.',
  },
  [UNKNOWN_CODING]: {
    status: '501 Not Implemented',
    error: 'The body has a Transfer-Encoding other than chunked: send it without.',
  },
  [NO_TUNNEL]: {
    status: '501 Not Implemented',
    error: 'This is no proxy: ask for the address without CONNECT.',
  },
  [TOO_MANY_PARTS]: {
    status: '400 Bad Request',
    error: 'The body comes in too many small parts: send it in one piece, or in parts of 1 kB or more.',
  },
};

/** The codes of requests that were parsed: their connection is answering them. */
const PARSED: ReadonlySet<string> = new Set([
  'HPE_HEADER_OVERFLOW',
  NO_HOST,
  TWO_HOSTS,
  UNKNOWN_EXPECTATION,
  UNKNOWN_CODING,
  NO_TUNNEL,
]);

const MALFORMED = { status: '400 Bad Request', error: 'The request is not valid HTTP.' };

/** Answers requests that reach no route, because their address or their bytes cannot be read, with security headers. */
export function malformedRequests(headers: Readonly<Record<string, string>>, clock: Clock) {
  const refusals = heldRefusals(clock);
  /** Connections that end with an answer. What else comes on them is of no interest. */
  const ending = new WeakSet<Socket>();
  return {
    /** For addresses that cannot be decoded, such as `/%`. */
    frameworkErrors(error: Error & { statusCode?: number }, _request: FastifyRequest, reply: FastifyReply) {
      reply
        .headers(headers)
        .code(error.statusCode ?? 400)
        .send({ error: 'The address is not valid: check its percent-encoding.' });
    },
    /** For bytes that are not HTTP, headers that are too large, bodies in tiny parts, and requests that take too long. */
    clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
      if (ending.has(socket)) return;
      ending.add(socket);
      if (!socket.writable || error.code === 'ECONNRESET' || hasBegunAnswer(socket)) {
        socket.destroy(error);
        return;
      }
      const { status, error: sentence } = ANSWERS[error.code ?? ''] ?? MALFORMED;
      const body = JSON.stringify({ error: sentence });
      const lines = Object.entries({
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      const end = () => {
        if (socket.writable && !hasBegunAnswer(socket)) {
          socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
        }
        socket.destroySoon();
      };
      // Reading hundreds of headers takes half a millisecond, and the client would send them again at once. If an earlier
      // request is still being answered, this answer is not held back, or that one might come first.
      const isHeld = PARSED.has(error.code ?? '') || !isAnswering(socket);
      socket.pause();
      if (isHeld) refusals.hold(networkOf(socket.remoteAddress ?? ''), clock.now(), end);
      else end();
    },
  };
}

type Answering = Socket & { _httpMessage?: { headersSent: boolean } | null };

function isAnswering(socket: Answering): boolean {
  return Boolean(socket._httpMessage);
}

/** A second answer within the bytes of a first one would be read as a part of it. */
function hasBegunAnswer(socket: Answering): boolean {
  return socket._httpMessage?.headersSent === true;
}
