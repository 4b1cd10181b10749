import type { Socket } from 'node:net';

/** What Node's parser takes for another protocol that follows a request. */
const OTHER_PROTOCOL = 2;

/**
 * Ends the parsing of what has been read. Node would parse all of it, some thousand requests, although the connection is
 * closed, and then abort each of them with an error, which takes 18 ms. It has no documented way to stop.
 */
export function stopParsing(socket: Socket & { parser?: { onIncoming?: unknown } | null }): void {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => OTHER_PROTOCOL;
}
