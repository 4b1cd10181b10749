import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { clientNetworks, isLoopback, withoutPort } from '../lib/ip-address.ts';
import { isForwarded } from './local-request.ts';

/** The routes that cost the store or the log something. Sign-ups have further limits. */
const LIMITED: ReadonlySet<string> = new Set([
  '/graphql',
  '/intents',
  '/my-alerts',
  '/my-alerts/confirm',
  '/my-alerts/data',
  '/visits',
  '/vitals',
]);

/**
 * Pages, lists, settings and addresses without a route cost the processor alone. A network may send so many
 * times as many of them, in bursts of three seconds' worth: a longer burst would slow everybody else's searches.
 */
const OTHERS = 5;
const OTHERS_BURST = 0.05;
const LEAST_BURST = 10;

/** Answered later instead of refused: supervisors and load balancers decide by them. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const HEALTH_HELD_MS = 800;

/**
 * Deliveries of providers have limits of their own, and `/metrics` has a token. Mail companies post the clicks of all their
 * users from a few addresses, and a stop must get through.
 */
const UNLIMITED = /^\/(metrics|my-alerts\/stop|webhooks\/.*)$/;

/** Networks that are tracked. Beyond that, the least recently active one is dropped. */
const MAX_NETWORKS = 50_000;

const TOO_MANY = 'That is too much at once. Please try again in a moment.';

const UNTRUSTED_PROXY =
  'A request came through a proxy that TRUST_PROXY does not name: all visitors behind it share one request limit. Set TRUST_PROXY to its address, or remove the headers X-Forwarded-For and Forwarded in front of the server. Reported once.';

export interface RequestAllowance {
  /** Takes one request from an address's allowance. Returns 0, or the seconds to wait if the allowance is used up. */
  take(address: string): number;
  /** The seconds until `take` would return 0. Takes nothing. */
  wait(address: string): number;
}

interface Bucket {
  network: string;
  /** Per minute. */
  rate: number;
  left: number;
}

/**
 * Token buckets for the networks of an address: they refill steadily to `burst`, by default a minute's worth, so that a
 * burst passes and a flood does not. `now` is in milliseconds of a monotonic clock.
 */
export function requestAllowance(
  perMinute: number,
  now: () => number,
  burst: number = perMinute,
): RequestAllowance {
  const held = new Map<string, { left: number; at: number }>();

  function bucketsOf(address: string, at: number): Bucket[] {
    return clientNetworks(address).map(({ network, clients }) => {
      const most = burst * clients;
      const rate = perMinute * clients;
      const before = held.get(network) ?? { left: most, at };
      const refilled = before.left + (Math.max(0, at - before.at) * rate) / 60_000;
      return { network, rate, left: Math.min(most, refilled) };
    });
  }
  function keep({ network, left }: Bucket, at: number): void {
    held.delete(network);
    held.set(network, { left, at });
    if (held.size <= MAX_NETWORKS) return;
    const [leastRecent] = held.keys();
    if (leastRecent !== undefined) held.delete(leastRecent);
  }

  return {
    take(address) {
      const at = now();
      const buckets = bucketsOf(address, at);
      const seconds = secondsToWait(buckets);
      for (const bucket of buckets) keep(seconds === 0 ? { ...bucket, left: bucket.left - 1 } : bucket, at);
      return seconds;
    },
    wait: (address) => secondsToWait(bucketsOf(address, now())),
  };
}

function secondsToWait(buckets: readonly Bucket[]): number {
  return Math.max(
    ...buckets.map(({ left, rate }) => (left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * 60) / rate)))),
  );
}

/**
 * Refuses requests beyond an address's allowance with 429. Requests from this machine are exempt, except those that came
 * through a proxy. `now` is in milliseconds of a monotonic clock: a wall clock that is set back would lock visitors out.
 */
export function addRequestLimit(app: FastifyInstance, perMinute: number, now: () => number): void {
  if (perMinute === 0) return;
  const limited = requestAllowance(perMinute, now);
  const ofOthers = perMinute * OTHERS;
  const others = requestAllowance(ofOthers, now, Math.max(LEAST_BURST, ofOthers * OTHERS_BURST));
  app.addHook('onRequest', async (request, reply) => {
    // By route, because one URL can be written in many ways: /%67raphql, /graphql/.
    const route = request.routeOptions.url ?? '';
    if (UNLIMITED.test(route)) return;
    if (isLoopback(request.ip) && !isForwarded(request)) return;
    const seconds = (LIMITED.has(route) ? limited : others).take(request.ip);
    if (seconds === 0) return;
    if (HEALTH.has(route)) {
      await setTimeout(HEALTH_HELD_MS, undefined, { ref: false });
      return;
    }
    return reply.code(429).header('retry-after', String(seconds)).send({ error: TOO_MANY });
  });
}

/**
 * Reads the client's address from X-Forwarded-For also where a proxy has appended a port. Warns once, on the log, of a
 * proxy that is not trusted.
 */
export function addForwardedAddresses(app: FastifyInstance, trustsProxies: boolean): void {
  let hasWarned = trustsProxies;
  app.addHook('onRequest', async (request) => {
    const { headers } = request.raw;
    const chain = headers['x-forwarded-for'];
    if (!hasWarned && (chain !== undefined || headers.forwarded !== undefined)) {
      hasWarned = true;
      request.log.warn(UNTRUSTED_PROXY);
    }
    // Fastify reads the header when `request.ip` is used for the first time.
    if (typeof chain === 'string' && chain.includes(':')) {
      headers['x-forwarded-for'] = chain
        .split(',')
        .map((address) => withoutPort(address.trim()))
        .join(', ');
    }
  });
}
