import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RefreshReport } from './refresh-prices.ts';
import type { RefreshWorkerData } from './refresh-worker.ts';

const A_DAY_MS = 24 * 60 * 60 * 1000;

export interface PriceRefresh {
  /** Refreshes now, off the request thread: after the first load, and after each large import. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps the daily index and the price models fresh: when it is asked to, and once a day. */
export function startPriceRefresh(options: RefreshWorkerData & { log(line: string): void }): PriceRefresh {
  const { log, ...workerData } = options;
  let running: Worker | null = null;

  async function refresh(): Promise<void> {
    if (running !== null) return;
    const worker = new Worker(new URL('./refresh-worker.ts', import.meta.url), { workerData });
    running = worker;
    worker.on('message', ({ version, packages }: RefreshReport) => {
      log(`Price models: version ${version}, from ${packages} packages`);
    });
    try {
      await once(worker, 'exit');
    } catch (error) {
      log(`Refreshing the price history failed: ${String(error)}`);
    } finally {
      running = null;
    }
  }

  const timer = setInterval(() => void refresh(), A_DAY_MS);
  timer.unref();
  return {
    refresh,
    async stop() {
      clearInterval(timer);
      await running?.terminate();
    },
  };
}
