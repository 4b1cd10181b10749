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

/** A network's refusals within a second, after which its next are held back for `HOLD_MS`; the most that are held. */
const REFUSALS_AT_ONCE = 10;
const HOLD_MS = 800;
const MAX_HELD = 2_000;

const REFUSED: ReadonlySet<number> = new Set([429, 503]);

/**
 * Refuses requests with 503 while the event loop is late, memory is short or too many requests are open. A flood of
 * refusals to one network is held back for less than a second: a client that asks again at once then costs little, and
 * the processor is left to those who are answered.
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
  const hold = refusalHold(clock);
  let open = 0;
  app.addHook('onClose', async () => pressure.stop());

  app.addHook('onRequest', async (request, reply) => {
    open += 1;
    reply.raw.once('close', () => {
      open -= 1;
    });
    if (isExempt(request)) return;
    const isFull = isQueued(request) && mainThread.wouldRefuse(queuePlace(request).network, 1);
    const reason = isFull ? 'queue' : pressure.reason(open);
    if (reason === null) return;
    countShed(reason);
    noteShed(request, reason);
    return reply
      .code(503)
      .headers({ 'retry-after': String(RETRY_AFTER), 'cache-control': 'no-store' })
      .send({ error: OVERLOADED });
  });

  app.addHook('onSend', async (request, reply) => {
    if (REFUSED.has(reply.statusCode) && !isExempt(request)) await hold(networkOf(request.ip));
  });
}

function isQueued({ routeOptions, method }: FastifyRequest): boolean {
  return method === 'POST' && routeOptions.url === '/graphql';
}

function isExempt(request: FastifyRequest): boolean {
  return EXEMPT.test(request.routeOptions.url ?? '');
}

/** Resolves at once, or a little later while a network is refused often. */
function refusalHold(clock: Clock): (network: string) => Promise<void> | undefined {
  let second = { startedAt: clock.now(), refusals: new Map<string, number>() };
  let held = 0;
  return (network) => {
    const now = clock.now();
    if (now - second.startedAt > 1_000) second = { startedAt: now, refusals: new Map() };
    const refusals = (second.refusals.get(network) ?? 0) + 1;
    second.refusals.set(network, refusals);
    if (refusals <= REFUSALS_AT_ONCE || held >= MAX_HELD) return undefined;
    held += 1;
    return new Promise((resolve) => {
      clock.after(HOLD_MS, () => {
        held -= 1;
        resolve();
      });
    });
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
