import type { IncomingMessage } from 'node:http';
import { connectionsWithFiles } from '../lib/open-files.ts';
import { CONNECTION_LIMITS } from './bounded-server.ts';

/** Of all connections that may be open, the part that is left unread at most. */
const MOST_OF_ALL = 0.6;

/** A connection whose client waits for its response. */
export interface UnreadConnection {
  /** Reads on, and calls `next`: at once, or when it is known whether a client that was left unread has hung up. */
  readOn(next: () => void): void;
  /** To be called when the connection is closed. */
  forget(): void;
}

export interface UnreadConnections {
  /** Reads nothing more from a request's connection, once all of the request has been read. Somebody must read its body. */
  leave(request: IncomingMessage): UnreadConnection;
}

interface Left {
  request: IncomingMessage;
  /** It may be left unread. */
  isWaiting: boolean;
}

/**
 * Leaves connections unread while their refusals are held back. If thousands of clients hang up together, and connect again,
 * their hang-ups would be read together, in one pass of the event loop, and everybody else would wait for it. So they are
 * noticed when their refusals are due, which are spread over time.
 *
 * Connections whose clients have hung up take places of others until then. So from `most` on, each that is left has the
 * one read that was left first, for as long as it takes to notice.
 */
export function unreadConnections(
  most = Math.floor(MOST_OF_ALL * Math.min(CONNECTION_LIMITS.mostConnections, connectionsWithFiles())),
): UnreadConnections {
  /** Those that are to be left when the requests of this pass have been read. */
  let leaving: Left[] = [];
  /** The one that was left first at the beginning. */
  const unread = new Set<Left>();

  function leaveAll(): void {
    const now = leaving;
    leaving = [];
    for (const one of now) pause(one);
    if (unread.size > most) lookAt(longestLeft(unread.size - most));
  }

  /** At once, or when the body has been read. */
  function pause(one: Left): void {
    const { request, isWaiting } = one;
    if (!isWaiting) return;
    if (!request.complete) {
      request.once('end', () => pause(one));
      return;
    }
    request.socket.pause();
    unread.add(one);
  }

  /** False: it was not left unread. */
  function resume(one: Left): boolean {
    if (!unread.delete(one)) return false;
    one.request.socket.resume();
    return true;
  }

  function longestLeft(count: number): Left[] {
    const longest: Left[] = [];
    for (const one of unread) {
      if (longest.length === count) break;
      longest.push(one);
    }
    return longest;
  }

  function lookAt(some: readonly Left[]): void {
    for (const one of some) resume(one);
    setImmediate(() => some.forEach(pause));
  }

  return {
    leave(request) {
      const one = { request, isWaiting: true };
      if (leaving.length === 0) setImmediate(leaveAll);
      leaving.push(one);
      return {
        readOn(next) {
          one.isWaiting = false;
          if (resume(one)) setImmediate(next);
          else next();
        },
        forget() {
          one.isWaiting = false;
          unread.delete(one);
        },
      };
    },
  };
}
