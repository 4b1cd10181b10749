import { errorMessage } from '../lib/error-message.ts';
import { workerProxy } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { RefreshReport } from './refresh-prices.ts';

/** Milliseconds between two checks of whether today's refresh has been done, by this server or another. */
const CHECK_EVERY_MS = 60 * 60 * 1000;

export interface RefreshWorkerData {
  store: StoreAddress;
  /** The sample market's seed; null if the inventory is not the sample. */
  sampleSeed: number | null;
}

export interface RefreshWorkerApi {
  /** Null: another server is refreshing, or, if asked to check, today's models exist, as after a restart. */
  refresh(unlessDoneToday: boolean): Promise<RefreshReport | null>;
}

export interface PriceRefreshOptions extends RefreshWorkerData {
  /** Resolves when the inventory is there: the first refresh waits for it. */
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
  const file = new URL('../workers/price-refresh.ts', import.meta.url);
  const { api, terminate, endThread } = workerProxy<RefreshWorkerApi>(
    file,
    setting satisfies RefreshWorkerData,
    {
      refresh: {},
    },
  );
  let running = false;
  let stopped = false;

  async function run(unlessDoneToday: boolean): Promise<void> {
    if (running || stopped) return;
    running = true;
    try {
      const report = await api.refresh(unlessDoneToday);
      if (report !== null) {
        log(`Price models: version ${report.version}, from ${report.packages} packages`);
      }
    } catch (error) {
      if (!stopped) log(`Refreshing the price history failed: ${errorMessage(error)}`);
    } finally {
      // A thread that stayed would keep the memory of a whole training.
      await endThread();
      running = false;
    }
  }

  loaded.then(
    () => run(true),
    () => log('Price history not refreshed: no inventory loaded'),
  );
  const timer = setInterval(() => void run(true), CHECK_EVERY_MS);
  timer.unref();
  return {
    refresh: () => run(false),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await terminate();
    },
  };
}
