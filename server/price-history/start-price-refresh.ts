import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StoreAddress } from '../storage/store-address.ts';
import type { RefreshReport } from './refresh-prices.ts';

/** How often to check whether a server has done today's refresh. */
const CHECK_INTERVAL_MS = 60 * 60 * 1000;

interface RefreshInput {
  store: StoreAddress;
  /** The sample market's seed; null if the inventory is not a sample. */
  sampleSeed: number | null;
}

export interface RefreshWorkerData extends RefreshInput {
  /** Skips training if today's models exist, for example after a restart. */
  unlessDoneToday: boolean;
}

export interface PriceRefreshOptions extends RefreshInput {
  /** Resolves when the inventory is loaded; the first refresh waits for it. */
  loaded: Promise<void>;
  log: (line: string) => void;
}

export interface PriceRefresh {
  /** Refreshes in a worker thread, for example after a large import. Does nothing while a refresh runs. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Refreshes the daily index and the price models when the inventory is loaded, once a day, and on request. */
export function startPriceRefresh({ loaded, log, ...setting }: PriceRefreshOptions): PriceRefresh {
  let running: Worker | null = null;
  let stopped = false;

  async function run(unlessDoneToday: boolean): Promise<void> {
    if (running !== null || stopped) return;
    const workerData: RefreshWorkerData = { ...setting, unlessDoneToday };
    const worker = new Worker(new URL('../workers/price-refresh.ts', import.meta.url), { workerData });
    running = worker;
    worker.on('message', ({ version, packages }: RefreshReport) => {
      log(`Price models: version ${version}, ${packages} packages`);
    });
    try {
      await once(worker, 'exit');
    } catch (error) {
      log(`Price history refresh failed: ${String(error)}`);
    } finally {
      running = null;
    }
  }

  loaded.then(
    () => run(true),
    () => log('Price history not refreshed: no inventory loaded'),
  );
  const timer = setInterval(() => void run(true), CHECK_INTERVAL_MS);
  timer.unref();
  return {
    refresh: () => run(false),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running?.terminate();
    },
  };
}
