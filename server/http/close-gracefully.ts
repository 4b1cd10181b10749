import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Milliseconds that a stop waits for accepted requests. */
const MAX_WAIT = 10_000;

/**
 * Tracks an app's connections and returns the function that closes it, after all accepted requests are answered.
 * Browsers open connections in advance, and Node would wait for a request on each. Connections that never carried one
 * are closed at once. Requests that are not answered within `maxWait` milliseconds lose their connections.
 */
export function closeGracefully(app: FastifyInstance, maxWait = MAX_WAIT): () => Promise<void> {
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
      // A response that began before the stop keeps its connection open.
      if (closing) setImmediate(() => app.server.closeIdleConnections());
    });
  });

  return async () => {
    closing = true;
    for (const response of unanswered) announceEnd(response);
    const closed = app.close();
    for (const socket of unused) socket.destroy();
    const deadline = setTimeout(() => app.server.closeAllConnections(), maxWait);
    await closed;
    clearTimeout(deadline);
  };
}

/** Tells the client not to send another request on the connection: it would be reset. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
