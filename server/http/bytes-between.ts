import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that a connection may send beside its requests and their bodies: one read of 64 kB, and the next headers of 16 kB. */
export const MOST_BETWEEN = 128 * 1024;

/** Node's parser of HTTP. Its callbacks stand under numbers. */
interface Parser {
  [callback: number]: ((parsed: number | Error) => void) | null | undefined;
  constructor: { kOnExecute?: number };
}

interface Sending {
  /** The last request. */
  request: IncomingMessage | null;
  /** The bytes that the connection had sent when its last request was complete. */
  before: number;
}

/**
 * Closes connections that send without asking. The parser skips blank lines before a request for ever, and four
 * connections with nothing else took a processor. There is no documented way to see them, so the parser's callback after
 * each read is wrapped: a timer would leave the processor to whoever connects again.
 */
export function boundBytesBetween(server: Server, most = MOST_BETWEEN): void {
  const sending = new WeakMap<Socket, Sending>();

  server.on('connection', (socket: Socket & { parser?: Parser | null }) => {
    const { parser } = socket;
    const onExecute = parser?.constructor.kOnExecute;
    const give = onExecute === undefined ? undefined : parser?.[onExecute];
    if (!parser || onExecute === undefined || !give) return;
    const own: Sending = { request: null, before: 0 };
    sending.set(socket, own);
    // Node sets it again for each connection.
    parser[onExecute] = (parsed) => {
      if (own.request?.complete === false) own.before = socket.bytesRead;
      if (socket.bytesRead - own.before > most) socket.destroy();
      else give.call(parser, parsed);
    };
  });
  server.prependListener('request', (request) => {
    const own = sending.get(request.socket);
    if (own === undefined) return;
    own.request = request;
    own.before = request.socket.bytesRead;
  });
}
