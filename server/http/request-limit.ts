import type { FastifyInstance } from 'fastify';
import { isLoopback, networkOf } from '../lib/ip-address.ts';

/** The routes that cost the store or the log something. Sign-ups have limits of their own beside this one. */
const LIMITED: ReadonlySet<string> = new Set(['/graphql', '/intents', '/visits', '/vitals']);

/** Addresses that are remembered; past that the longest silent one is forgotten. */
const MOST_ADDRESSES = 50_000;

const TOO_MANY = 'That is too much at once. Please try again in a moment.';

/** Takes one request from an address's allowance; tells how many seconds to wait where it is used up, else 0. */
export type TakeRequest = (address: string) => number;

/**
 * An allowance for each address that fills steadily to a minute's worth, so that a burst is taken and a flood is
 * not. `now` in milliseconds. A whole network of IPv6 (/64) is one address: one household has that many.
 */
export function requestAllowance(perMinute: number, now: () => number): TakeRequest {
  const held = new Map<string, { left: number; at: number }>();
  const perMs = perMinute / 60_000;
  return (address) => {
    const name = networkOf(address);
    const at = now();
    const before = held.get(name) ?? { left: perMinute, at };
    const left = Math.min(perMinute, before.left + (at - before.at) * perMs);
    const isTaken = left >= 1;
    held.delete(name);
    held.set(name, { left: isTaken ? left - 1 : left, at });
    if (held.size > MOST_ADDRESSES) {
      const [longestSilent] = held.keys();
      if (longestSilent !== undefined) held.delete(longestSilent);
    }
    return isTaken ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1_000));
  };
}

/** Refuses with 429 what an address sends beyond its allowance. This machine's own requests are not counted. */
export function addRequestLimit(app: FastifyInstance, perMinute: number, now: () => number): void {
  if (perMinute === 0) return;
  const take = requestAllowance(perMinute, now);
  app.addHook('onRequest', async (request, reply) => {
    // The route and not the address as it was sent, which can be spelt in many ways: /%67raphql, /graphql/.
    if (!LIMITED.has(request.routeOptions.url ?? '') || isLoopback(request.ip)) return;
    const seconds = take(request.ip);
    if (seconds === 0) return;
    return reply.code(429).header('retry-after', String(seconds)).send({ error: TOO_MANY });
  });
}
