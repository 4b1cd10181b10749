import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/ip-address.ts';
import { TOO_MANY_PARTS } from './body-parts.ts';
import { NO_HOST, NO_TUNNEL, TWO_HOSTS, UNKNOWN_CODING, UNKNOWN_EXPECTATION } from './bounded-server.ts';
import type { HeldRefusals } from './held-refusals.ts';
import { type Logger, refusalLog } from './refusal-log.ts';
import { requestId } from './request-id.ts';
import { requestLine, tenths } from './request-log.ts';
import type { SentResponse } from './sent-response.ts';

const ANSWERS: Readonly<Record<string, { status: number; error: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: 'The request took too long to arrive: please send it again.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: 'The headers are larger than 16 kB, or more than 100: send fewer or shorter ones.',
  },
  [NO_HOST]: {
    status: 400,
    error: 'The request has no Host header: send one with the name of the site.',
  },
  [TWO_HOSTS]: {
    status: 400,
    error: 'The request has several Host headers: send one with the name of the site.',
  },
  [UNKNOWN_EXPECTATION]: {
    status: 417,
    error: 'The Expect header is not 100-continue: send the request without it.',
  },
  [UNKNOWN_CODING]: {
    status: 501,
    error: 'The body has a Transfer-Encoding other than chunked: send it without.',
  },
  [NO_TUNNEL]: {
    status: 501,
    error: 'This is no proxy: ask for the address without CONNECT.',
  },
  [TOO_MANY_PARTS]: {
    status: 400,
    error: 'The body comes in too many small parts: send it in one piece, or in parts of 1 kB or more.',
  },
};

const MALFORMED = { status: 400, error: 'The request is not valid HTTP.' };

interface MalformedSettings {
  headers: Readonly<Record<string, string>>;
  clock: Clock;
  refusals: HeldRefusals;
  /** Measures each answer: Fastify runs no hooks for them. */
  observe: (response: SentResponse) => void;
  logger: () => Logger | null;
}

/**
 * Answers requests that reach no route, because their address or their bytes cannot be read, with security headers and a
 * request id. They are measured and logged as refusals are.
 */
export function malformedRequests({ headers, clock, refusals, observe, logger }: MalformedSettings) {
  const logRefusal = refusalLog(clock, logger);
  /** Connections that end with an answer. What else comes on them is of no interest. */
  const ending = new WeakSet<Socket>();
  return {
    /** For addresses that cannot be decoded, such as `/%`. */
    frameworkErrors(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) {
      const at = clock.now();
      const status = error.statusCode ?? 400;
      reply.raw.once('close', () => {
        const ms = clock.now() - at;
        observe({ method: request.method, route: null, status, ms });
        logRefusal(null, () => ({ reqId: request.id, ...requestLine(request, status, ms) }));
      });
      reply
        .headers({ ...headers, 'x-request-id': request.id })
        .code(status)
        .send({ error: 'The address is not valid: check its percent-encoding.' });
    },
    /** For bytes that are not HTTP, headers that are too large, bodies in tiny parts, and requests that take too long. */
    clientErrorHandler(error: Error & { code?: string }, socket: Socket): void {
      if (ending.has(socket)) return;
      ending.add(socket);
      if (!socket.writable || error.code === 'ECONNRESET' || begunAnswer(socket) !== null) {
        socket.destroy(error);
        return;
      }
      const at = clock.now();
      const { code = '' } = error;
      const id = requestId({ headers: {} });
      const { status, error: sentence } = ANSWERS[code] ?? MALFORMED;
      let isNoted = false;
      const note = () => {
        if (isNoted) return;
        isNoted = true;
        const ms = clock.now() - at;
        // Of many, neither method nor address is known.
        observe({ method: 'none', route: null, status, ms });
        logRefusal(null, () => ({ reqId: id, status, ms: tenths(ms), code }));
      };
      const end = () => {
        const begun = begunAnswer(socket);
        if (begun !== null) begun.once('close', () => socket.destroySoon());
        else {
          if (socket.writable) socket.write(answer(status, sentence, { ...headers, 'x-request-id': id }));
          socket.destroySoon();
        }
        note();
      };
      // The client would send as much again at once: hundreds of headers take half a millisecond to read, and whoever ends
      // a body too early would get this answer instead of a refusal that is held back.
      socket.pause();
      const network = networkOf(socket.remoteAddress ?? '');
      const giveUp = refusals.hold({ network, socket, since: at, isOwnFault: true }, end);
      socket.once('close', () => {
        giveUp();
        note();
      });
    },
  };
}

/** An answer that its connection ends with. */
function answer(status: number, error: string, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ error });
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

type Answering = Socket & { _httpMessage?: ServerResponse | null };

/** A second answer within the bytes of a first one would be read as a part of it. */
function begunAnswer(socket: Answering): ServerResponse | null {
  return socket._httpMessage?.headersSent === true ? socket._httpMessage : null;
}
