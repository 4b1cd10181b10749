import type { FastifyInstance } from 'fastify';
import { isLoopback, networkOf } from '../lib/ip-address.ts';

/** The routes that cost the store or the log something. Sign-ups have further limits. */
const LIMITED: ReadonlySet<string> = new Set(['/graphql', '/intents', '/visits', '/vitals']);

/** Networks that are tracked. Beyond that, the least recently active one is dropped. */
const MAX_NETWORKS = 50_000;

const TOO_MANY = 'That is too much at once. Please try again in a moment.';

/** Takes one request from an address's allowance. Returns 0, or the seconds to wait if the allowance is used up. */
type TakeRequest = (address: string) => number;

/**
 * A token bucket for each network: it refills steadily to a minute's worth, so that a burst passes and a flood does not.
 * `now` is in milliseconds.
 */
export function requestAllowance(perMinute: number, now: () => number): TakeRequest {
  const held = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;
  return (address) => {
    const network = networkOf(address);
    const at = now();
    const before = held.get(network) ?? { left: perMinute, at };
    const left = Math.min(perMinute, before.left + (at - before.at) * perMs);
    const isTaken = left >= 1;
    held.delete(network);
    held.set(network, { left: isTaken ? left - 1 : left, at });
    if (held.size > MAX_NETWORKS) {
      const [leastRecent] = held.keys();
      if (leastRecent !== undefined) held.delete(leastRecent);
    }
    return isTaken ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1_000));
  };
}

/** Refuses requests beyond an address's allowance with 429. Loopback requests are exempt. */
export function addRequestLimit(app: FastifyInstance, perMinute: number, now: () => number): void {
  if (perMinute === 0) return;
  const take = requestAllowance(perMinute, now);
  app.addHook('onRequest', async (request, reply) => {
    // By route, because one URL can be written in many ways: /%67raphql, /graphql/.
    if (!LIMITED.has(request.routeOptions.url ?? '') || isLoopback(request.ip)) return;
    const seconds = take(request.ip);
    if (seconds === 0) return;
    return reply.code(429).header('retry-after', String(seconds)).send({ error: TOO_MANY });
  });
}
