import { Counter, Gauge, type Registry } from 'prom-client';
import type { WorkQueue } from '../lib/work-queue.ts';

/** The length of each queue, the age of its oldest task, and refusals by reason. */
export function registerQueueMetrics(registry: Registry, queues: readonly WorkQueue[]): void {
  const register = { registers: [registry] };
  new Gauge({
    name: 'skylark_queue_waiting',
    help: 'Waiting requests, by queue',
    labelNames: ['queue'],
    ...register,
    collect() {
      for (const { name, status } of queues) this.set({ queue: name }, status().waiting);
    },
  });
  new Gauge({
    name: 'skylark_queue_oldest_seconds',
    help: 'Age of the oldest waiting request, by queue',
    labelNames: ['queue'],
    ...register,
    collect() {
      for (const { name, status } of queues) this.set({ queue: name }, status().oldestMs / 1_000);
    },
  });
  new Counter({
    name: 'skylark_queue_refused_total',
    help: 'Refused requests, by queue and reason: full, late (its deadline passed), gone (the client disconnected)',
    labelNames: ['queue', 'reason'],
    ...register,
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
