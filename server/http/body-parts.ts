import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Parts in which any body may come. Beyond them, its parts must have so many bytes on average. */
export const ANY_PARTS = 64;
export const LEAST_MEAN = 256;

export const TOO_MANY_PARTS = 'TOO_MANY_PARTS';

/** Node's parser of HTTP. Its callbacks stand under numbers. */
interface Parser {
  [callback: number]: ((part: Uint8Array) => void) | null | undefined;
  constructor: { kOnBody?: number };
}

interface Body {
  isChunked: boolean;
  parts: number;
  bytes: number;
}

/**
 * Ends connections whose bodies come in a great many tiny parts, by the event `clientError` with the code
 * `TOO_MANY_PARTS`. Node makes an object for each part of a chunked body, also if nobody reads it: 10,000 parts of one
 * byte took 20 ms, and a loop of them from one address took the processor from everybody else. There is no documented
 * way to stop within what has been read, so the parser's callback is taken away until the connection is closed.
 */
export function boundBodyParts(server: Server): void {
  const bodies = new WeakMap<Socket, Body>();

  server.prependListener('request', (request) => {
    const { socket } = request;
    const body = bodies.get(socket);
    if (body !== undefined) Object.assign(body, { isChunked: isChunked(request), parts: 0, bytes: 0 });
    else if (isChunked(request)) bodies.set(socket, countParts(server, socket));
  });
}

function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

function countParts(server: Server, socket: Socket & { parser?: Parser | null }): Body {
  const body = { isChunked: true, parts: 0, bytes: 0 };
  const { parser } = socket;
  const onBody = parser?.constructor.kOnBody;
  const give = onBody === undefined ? undefined : parser?.[onBody];
  if (!parser || onBody === undefined || !give) return body;

  parser[onBody] = (part) => {
    body.parts += 1;
    body.bytes += part.length;
    if (body.isChunked && body.parts > ANY_PARTS && body.bytes < body.parts * LEAST_MEAN) {
      parser[onBody] = null;
      const error = Object.assign(new Error('The body has too many small parts'), { code: TOO_MANY_PARTS });
      server.emit('clientError', error, socket);
    } else give.call(parser, part);
  };
  // Before Node's own listener, which keeps the parser for another connection.
  socket.prependListener('close', () => {
    parser[onBody] = give;
  });
  return body;
}
