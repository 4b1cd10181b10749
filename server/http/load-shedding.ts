import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../lib/clock.ts';
import {
  OPEN_REQUEST_LIMITS,
  type OpenRequestLimits,
  type OpenRequests,
  openRequests,
} from './open-requests.ts';
import { type MemoryUse, PRESSURE_LIMITS, type PressureReason, watchPressure } from './pressure.ts';

interface SheddableRequest {
  network: string;
  /** The page does not work without it. It is answered late while the event loop is late, and beside others of its network. */
  isOfPage: boolean;
}

/** Sheds requests while the event loop is late, memory is short, a network has too many requests open, or their queue is full. */
export interface LoadShedding {
  /** Why a request is refused now, counted; null: it is not. */
  shed(request: SheddableRequest): PressureReason | null;
  /** The requests that got in. */
  readonly requests: OpenRequests;
  stop(): void;
}

export function loadShedding({
  clock,
  registry,
  limits = PRESSURE_LIMITS,
  openLimits = OPEN_REQUEST_LIMITS,
  memory,
}: {
  clock: Clock;
  registry: Registry | null;
  limits?: typeof PRESSURE_LIMITS;
  openLimits?: OpenRequestLimits;
  memory?: () => MemoryUse;
}): LoadShedding {
  const pressure = watchPressure(limits, clock, memory);
  const requests = openRequests(openLimits);
  const countShed = shedCounter(registry);

  function reasonFor({ network, isOfPage }: SheddableRequest): PressureReason | null {
    const reason = pressure.reason(requests.all() + 1, isOfPage);
    return reason ?? (requests.allows(network, isOfPage) ? null : 'requests');
  }

  return {
    requests,
    shed(request) {
      const reason = reasonFor(request);
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
