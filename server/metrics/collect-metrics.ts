import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';

/** The least time between two collections, because each blocks the main thread for a few milliseconds. */
const INTERVAL_MS = 100;

/** The metrics in Prometheus's text format. Requests share a collection that starts after they arrive. */
export function collectedMetrics(registry: Pick<Registry, 'metrics'>): () => Promise<Buffer> {
  let next: Promise<Buffer> | null = null;
  let latest: Promise<unknown> = Promise.resolve();
  let endedAt = Number.NEGATIVE_INFINITY;

  async function collect(): Promise<Buffer> {
    await latest;
    const wait = endedAt + INTERVAL_MS - performance.now();
    if (wait > 0) await sleep(wait);
    next = null;
    const collecting = registry.metrics().finally(() => {
      endedAt = performance.now();
    });
    latest = collecting.catch(() => {});
    return Buffer.from(await collecting);
  }

  return () => {
    next ??= collect();
    return next;
  };
}
