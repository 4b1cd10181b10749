import { Counter, type Registry } from 'prom-client';
import { gauge } from '../conditions/gauge.ts';
import type { WorkQueue } from '../lib/work-queue.ts';
import { registerGauges } from './register-gauges.ts';

type Status = ReturnType<WorkQueue['status']>;

/** The length of each queue, the age of its oldest task, and refusals by reason. */
export function registerQueueMetrics(registry: Registry, queues: readonly WorkQueue[]): void {
  const byQueue = (valueIn: (status: Status) => number) => () =>
    queues.map(({ name, status }) => [{ queue: name }, valueIn(status())] as const);
  const waiting = byQueue((status) => status.waiting);
  const oldest = byQueue((status) => status.oldestMs / 1_000);
  const gauges = [
    gauge('queue_waiting', 'Waiting requests, by queue', waiting, 'queue'),
    gauge('queue_oldest_seconds', 'Age of the oldest waiting request, by queue', oldest, 'queue'),
  ];
  registerGauges(registry, gauges, async () => queues);
  new Counter({
    name: 'skylark_queue_refused_total',
    help: 'Refused requests, by queue and reason: full, late (its deadline passed), gone (the client disconnected)',
    labelNames: ['queue', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, status } of queues) {
        for (const [reason, count] of Object.entries(status().refused)) {
          this.inc({ queue: name, reason }, count);
        }
      }
    },
  });
}
