import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';

/** Between two collections, in milliseconds. One takes the thread of all visitors a few. */
const INTERVAL = 100;

/**
 * The metrics in Prometheus's text format. Under a flood they are collected once for all who wait for them, never before
 * they asked. Those share the bytes, so responses that nobody reads cost no memory each.
 */
export function collectedMetrics(registry: Pick<Registry, 'metrics'>): () => Promise<Buffer> {
  let next: Promise<Buffer> | null = null;
  let latest: Promise<unknown> = Promise.resolve();
  let endedAt = Number.NEGATIVE_INFINITY;

  async function collect(): Promise<Buffer> {
    await latest;
    const wait = endedAt + INTERVAL - performance.now();
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
