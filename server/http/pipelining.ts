import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../lib/clock.ts';

/** Milliseconds between two pipelined requests of one network, beyond as many at once as one connection may send. */
const EVERY_MS = 100;
const AT_ONCE = 16;

/** Networks that are tracked, before those that have nothing to wait for are forgotten. */
const MOST_NETWORKS = 1_000;

/** Lets requests in that are sent before their connection's earlier responses have been read. */
export interface Pipelining {
  /**
   * Calls `next` at once, or behind the connection's earlier response: when that has been read, but for what the system
   * buffers, and when the network has waited for its pipelined requests before. `networkOf` is called only then.
   */
  inOrder(socket: Socket, response: ServerResponse, networkOf: () => string, next: () => void): void;
}

/**
 * Sixteen requests in one packet would have sixteen files read and buffered for a client that reads nothing, on each of
 * its connections. Browsers and proxies do not pipeline, so nobody else waits.
 */
export function pipelining(clock: Clock): Pipelining {
  const lastOf = new WeakMap<Socket, ServerResponse>();
  /** When a network will have waited for all of its pipelined requests (the generic cell rate algorithm). */
  const evenAt = new Map<string, number>();

  function reserve(network: string): number {
    const now = clock.now();
    if (evenAt.size > MOST_NETWORKS) for (const [other, at] of evenAt) if (at <= now) evenAt.delete(other);
    const after = Math.max(evenAt.get(network) ?? now, now) + EVERY_MS;
    evenAt.set(network, after);
    return Math.max(0, after - now - AT_ONCE * EVERY_MS);
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
        if (wait === 0) next();
        else clock.after(wait, () => socket.destroyed || next());
      });
    },
  };
}
