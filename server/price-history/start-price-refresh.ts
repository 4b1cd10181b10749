import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StoreAddress } from '../storage/store-address.ts';
import type { RefreshReport } from './refresh-prices.ts';

/** Between two looks at whether this day's refresh has been done, by this server or another, in milliseconds. */
const LOOK_EVERY_MS = 60 * 60 * 1000;

/** What a refresh reads. */
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
  /** Resolves when the inventory is there: the first refresh waits for it. */
  loaded: Promise<void>;
  log: (line: string) => void;
}

export interface PriceRefresh {
  /** Refreshes off the request thread, as after a large import. Asked for while one runs it does nothing. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps the daily index and the price models fresh: once the inventory is there, once a day, and when asked. */
export function startPriceRefresh({ loaded, log, ...setting }: PriceRefreshOptions): PriceRefresh {
  let running: Worker | null = null;
  let stopped = false;

  async function run(unlessDoneToday: boolean): Promise<void> {
    if (running !== null || stopped) return;
    const workerData: RefreshWorkerData = { ...setting, unlessDoneToday };
    const worker = new Worker(new URL('../workers/price-refresh.ts', import.meta.url), { workerData });
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

  loaded.then(
    () => run(true),
    () => log('The price history waits for an inventory'),
  );
  const timer = setInterval(() => void run(true), LOOK_EVERY_MS);
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
