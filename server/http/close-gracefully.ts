import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const MAX_WAIT_MS = 10_000;

/**
 * Tracks an app's connections and returns the function that closes it after all accepted requests. Closes
 * connections that carried no request immediately, since browsers open some in advance. After `maxWaitMs` it
 * closes the rest.
 */
export function closeGracefully(app: FastifyInstance, maxWaitMs = MAX_WAIT_MS): () => Promise<void> {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  let closing = false;
  const unanswered = new Set<ServerResponse>();
  app.server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    unanswered.add(response);
    response.once('close', () => {
      unanswered.delete(response);
      // The connection of a response that began before the stop stays open.
      if (closing) setImmediate(() => app.server.closeIdleConnections());
    });
  });

  return async () => {
    closing = true;
    for (const response of unanswered) announceEnd(response);
    const closed = app.close();
    for (const socket of unused) socket.destroy();
    const deadline = setTimeout(() => app.server.closeAllConnections(), maxWaitMs);
    await closed;
    clearTimeout(deadline);
  };
}

/** Tells the client not to reuse the connection, which would reset its next request. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
