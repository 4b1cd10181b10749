import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const MAX_WAIT_MS = 10_000;

/**
 * Tracks an app's connections, and returns the function that closes the app after all accepted requests.
 * Closes unused connections immediately, because browsers open some in advance, and all others after
 * `maxWaitMs`.
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
      // A response whose headers were sent before the stop leaves its connection open.
      if (closing) setImmediate(() => app.server.closeIdleConnections());
    });
  });

  return async () => {
    closing = true;
    // Asks clients not to reuse the connection, because their next request would fail.
    for (const response of unanswered) if (!response.headersSent) response.setHeader('connection', 'close');
    const closed = app.close();
    for (const socket of unused) socket.destroy();
    const deadline = setTimeout(() => app.server.closeAllConnections(), maxWaitMs);
    await closed;
    clearTimeout(deadline);
  };
}
