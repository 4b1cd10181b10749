import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';
import type { WorkQueue } from '../lib/work-queue/work-queue.ts';
import { type MemoryUse, PRESSURE_LIMITS, type PressureReason, watchPressure } from './pressure.ts';

interface SheddableRequest {
  /** Whose place in the queue it would take; null for one that does not wait there. */
  network: string | null;
  /** The requests that are being answered, with this one. */
  open: number;
  /** The page does not work without it. It is answered late while the event loop is late. */
  isOfPage: boolean;
}

/** Sheds requests while the event loop is late, memory is short, too many requests are open, or their queue is full. */
export interface LoadShedding {
  /** Why a request is refused now, counted; null: it is not. */
  shed(request: SheddableRequest): PressureReason | null;
  stop(): void;
}

export function loadShedding({
  clock,
  registry,
  mainThread,
  limits = PRESSURE_LIMITS,
  memory,
}: {
  clock: Clock;
  registry: Registry | null;
  /** The queue of `/graphql`. What it would refuse is refused before its body is read. */
  mainThread: WorkQueue;
  limits?: typeof PRESSURE_LIMITS;
  memory?: () => MemoryUse;
}): LoadShedding {
  const pressure = watchPressure(limits, clock, memory);
  const countShed = shedCounter(registry);
  return {
    shed({ network, open, isOfPage }) {
      const isFull = network !== null && mainThread.wouldRefuse(network, 1);
      const reason = isFull ? 'queue' : pressure.reason(open, isOfPage);
      if (reason !== null) countShed(reason);
      return reason;
    },
    stop: () => pressure.stop(),
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
