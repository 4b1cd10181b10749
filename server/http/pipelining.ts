import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';

/** Milliseconds between two pipelined requests of one network, beyond so many at once. */
const EVERY_MS = 100;
const AT_ONCE = 16;

/** The same for all networks together: each of thousands would otherwise have sixteen at once. */
const ALL_EVERY_MS = 5;
const ALL_AT_ONCE = 32;

/** The connection of one that would wait for longer is closed. */
const MOST_WAIT_MS = 5_000;

/** Networks that are tracked, before those that have nothing to wait for are forgotten. */
const MOST_NETWORKS = 1_000;

/** Lets requests in that are sent before their connection's earlier responses have been read. */
export interface Pipelining {
  /**
   * Calls `next` at once, or behind the connection's earlier response: when that has been read, but for what the system
   * buffers, and when the network, and all together, have waited for their pipelined requests before. `networkOf` is
   * called only then. A connection whose next request would wait for more than five seconds is closed.
   */
  inOrder(socket: Socket, response: ServerResponse, networkOf: () => string, next: () => void): void;
}

/**
 * Several requests in one packet would have as many files read and buffered for a client that reads nothing, on each of
 * its connections. Browsers and proxies do not pipeline, so nobody else waits.
 */
export function pipelining(clock: Clock): Pipelining {
  const lastOf = new WeakMap<Socket, ServerResponse>();
  /** When a network will have waited for all of its pipelined requests (the generic cell rate algorithm). */
  const evenAt = new Map<string, number>();
  let allEvenAt = clock.now();

  /** Books a network's next pipelined request: the milliseconds until it may get in, or null if they are too many. */
  function reserve(network: string): number | null {
    const now = clock.now();
    if (evenAt.size > MOST_NETWORKS) for (const [other, at] of evenAt) if (at <= now) evenAt.delete(other);
    const ownEvenAt = Math.max(evenAt.get(network) ?? now, now) + EVERY_MS;
    const commonEvenAt = Math.max(allEvenAt, now) + ALL_EVERY_MS;
    const ownWait = ownEvenAt - now - AT_ONCE * EVERY_MS;
    const commonWait = commonEvenAt - now - ALL_AT_ONCE * ALL_EVERY_MS;
    const wait = Math.max(0, ownWait, commonWait);
    if (wait > MOST_WAIT_MS) return null;
    evenAt.set(network, ownEvenAt);
    allEvenAt = commonEvenAt;
    return wait;
  }

  return {
    inOrder(socket, response, networkOf, next) {
      const before = lastOf.get(socket);
      lastOf.set(socket, response);
      if (before === undefined || before.closed) {
        next();
        return;
      }
      before.once('close', () => {
        if (socket.destroyed) return;
        const wait = reserve(networkOf());
        if (wait === null) socket.destroy();
        else if (wait === 0) next();
        else clock.after(wait, () => socket.destroyed || next());
      });
    },
  };
}
