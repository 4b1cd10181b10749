import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds that a stop waits for accepted requests. */
const MAX_WAIT = 10_000;

/**
 * Tracks an app's connections and returns the function that closes it, after all accepted requests are answered.
 * Browsers open connections in advance, and Node would wait for a request on each. Connections that never carried one
 * are closed at once.
 */
export function closeGracefully(app: FastifyInstance): () => Promise<void> {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  let closing = false;
  app.server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    // A response that began before the stop keeps its connection open.
    response.once('close', () => {
      if (closing) setImmediate(() => app.server.closeIdleConnections());
    });
  });

  return async () => {
    closing = true;
    const closed = app.close();
    for (const socket of unused) socket.destroy();
    const deadline = setTimeout(() => app.server.closeAllConnections(), MAX_WAIT);
    await closed;
    clearTimeout(deadline);
  };
}
