import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/ip-address.ts';
import { OVERLOADED } from '../lib/overloaded.ts';
import type { WorkQueue } from '../lib/work-queue/work-queue.ts';
import { queuePlace } from './http-caller.ts';
import { type MemoryUse, PRESSURE_LIMITS, type PressureReason, watchPressure } from './pressure.ts';

/** Answered whatever the load: supervisors and load balancers decide by them, and a provider's deliveries are few. */
const EXEMPT = /^\/(healthz|readyz|metrics|webhooks\/.*)$/;

/** Seconds, for `Retry-After`. */
const RETRY_AFTER = 2;

/**
 * Refusals within a second, of one network and of all, after which the next are held back until `HOLD_MS` after their
 * requests came in, and the most that are held.
 */
const NETWORK_AT_ONCE = 10;
const ALL_AT_ONCE = 100;
const HOLD_MS = 800;
const MAX_HELD = 2_000;

/**
 * Refusals of one network are held for this share of it at least, each for another time: otherwise all connections of a
 * loop would ask again at the same moment.
 */
const LEAST_HELD = 0.5;

/** The fractions of its multiples are spread evenly. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

const REFUSED: ReadonlySet<number> = new Set([429, 503]);

/**
 * Refuses requests with 503 while the event loop is late, memory is short or too many requests are open. A flood of
 * refusals is held back for less than a second: clients that ask again at once then cost little, and the processor is
 * left to those who are answered.
 */
export function addLoadShedding(
  app: FastifyInstance,
  {
    clock,
    noteShed,
    registry,
    mainThread,
    limits = PRESSURE_LIMITS,
    memory,
  }: {
    clock: Clock;
    noteShed: (request: FastifyRequest, reason: PressureReason) => void;
    registry: Registry | null;
    /** The queue of `/graphql`. What it would refuse is refused before its body is read. */
    mainThread: WorkQueue;
    limits?: typeof PRESSURE_LIMITS;
    memory?: () => MemoryUse;
  },
): void {
  const pressure = watchPressure(limits, clock, memory);
  const countShed = shedCounter(registry);
  const refusals = heldRefusals(clock);
  const cameIn = new WeakMap<FastifyRequest, number>();
  let open = 0;
  app.addHook('onClose', async () => pressure.stop());

  app.addHook('onRequest', async (request, reply) => {
    cameIn.set(request, clock.now());
    open += 1;
    reply.raw.once('close', () => {
      open -= 1;
    });
    if (isExempt(request)) return;
    const isFull = isQueued(request) && mainThread.wouldRefuse(queuePlace(request).network, 1);
    const reason = isFull ? 'queue' : pressure.reason(open - refusals.held());
    if (reason === null) return;
    countShed(reason);
    noteShed(request, reason);
    return reply
      .code(503)
      .headers({ 'retry-after': String(RETRY_AFTER), 'cache-control': 'no-store' })
      .send({ error: OVERLOADED });
  });

  app.addHook('onSend', async (request, reply) => {
    if (!REFUSED.has(reply.statusCode) || isExempt(request)) return;
    await refusals.hold(networkOf(request.ip), cameIn.get(request) ?? clock.now());
  });
}

function isQueued({ routeOptions, method }: FastifyRequest): boolean {
  return method === 'POST' && routeOptions.url === '/graphql';
}

function isExempt(request: FastifyRequest): boolean {
  return EXEMPT.test(request.routeOptions.url ?? '');
}

interface HeldRefusals {
  /** Resolves at once, or a little later while the network or all are refused often. `since`: when the request came in. */
  hold(network: string, since: number): Promise<void> | undefined;
  /** How many are held now. */
  held(): number;
}

/** With the most held, the one that is held the longest goes first: a larger flood is held more briefly. */
function heldRefusals(clock: Clock): HeldRefusals {
  let second = { startedAt: clock.now(), all: 0, ofNetworks: new Map<string, number>() };
  const held = new Set<() => void>();
  let turn = 0;

  /** Milliseconds after its arrival at which a request may be refused. */
  function heldFor(network: string): number {
    const now = clock.now();
    if (now - second.startedAt > 1_000) second = { startedAt: now, all: 0, ofNetworks: new Map() };
    const ofNetwork = (second.ofNetworks.get(network) ?? 0) + 1;
    second.ofNetworks.set(network, ofNetwork);
    second.all += 1;
    if (second.all > ALL_AT_ONCE) return HOLD_MS;
    if (ofNetwork <= NETWORK_AT_ONCE) return 0;
    turn = (turn + GOLDEN_RATIO) % 1;
    return HOLD_MS * (LEAST_HELD + (1 - LEAST_HELD) * turn);
  }

  return {
    hold(network, since) {
      const ms = since + heldFor(network) - clock.now();
      if (ms <= 0) return undefined;
      const [longest] = held;
      if (longest !== undefined && held.size >= MAX_HELD) longest();
      return new Promise((resolve) => {
        const release = () => {
          stopTimer();
          held.delete(release);
          resolve();
        };
        const stopTimer = clock.after(ms, release);
        held.add(release);
      });
    },
    held: () => held.size,
  };
}

function shedCounter(registry: Registry | null): (reason: PressureReason) => void {
  if (registry === null) return () => {};
  const counter = new Counter({
    name: 'skylark_requests_shed_total',
    help: 'Requests refused with 503 on arrival, by reason: event loop, heap, memory, requests, queue',
    labelNames: ['reason'],
    registers: [registry],
  });
  return (reason) => counter.inc({ reason });
}
