import type { IncomingMessage, Server } from 'node:http';

/** Bytes of a body that nobody reads and that is received to its end, so that the connection can be used again. */
export const MOST_UNREAD = 64 * 1024;

/**
 * Closes connections whose requests are answered before their body has arrived, if the body is longer than any that is
 * expected, or of unknown length. Node would receive and drop it at any rate, for as long as a request may take.
 */
export function closeUnreadBodies(server: Server): void {
  server.prependListener('request', (request, response) => {
    if (!mayBeLong(request)) return;
    response.once('finish', () => {
      // The rest of the body may have been read together with the headers.
      setImmediate(() => {
        if (!request.complete) request.socket.destroySoon();
      });
    });
  });
}

function mayBeLong({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MOST_UNREAD;
}
