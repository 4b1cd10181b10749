import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The longest that a stop waits for requests that were accepted, in milliseconds. */
const LONGEST_WAIT = 10_000;

/**
 * Watches an app's connections from its start, and gives the function that closes it: every accepted request
 * is answered first. Browsers open connections ahead of need, which Node waits for as if a request were
 * on its way; those that never carried one are cut at once.
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
    // An answer begun before the stop leaves its connection open for more.
    response.once('close', () => {
      if (closing) setImmediate(() => app.server.closeIdleConnections());
    });
  });

  return async () => {
    closing = true;
    const closed = app.close();
    for (const socket of unused) socket.destroy();
    const deadline = setTimeout(() => app.server.closeAllConnections(), LONGEST_WAIT);
    await closed;
    clearTimeout(deadline);
  };
}
