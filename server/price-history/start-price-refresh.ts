import { systemClock } from '../lib/clock.ts';
import { errorMessage } from '../lib/error-message.ts';
import { workerThread } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { RefreshReport } from './refresh-prices.ts';
import { type RefreshRun, refreshRuns } from './refresh-runs.ts';

/** How often to check whether a refresh is due. Any server may have done it. */
const CHECK_EVERY_MS = 60 * 60 * 1000;

/**
 * All packages pass through the thread's heap. With this limit, a refresh of a million packages needs a
 * quarter less memory than with Node's default, and no more time.
 */
const SMALL_HEAP = { maxYoungGenerationSizeMb: 16 };

export interface RefreshWorkerData {
  store: StoreAddress;
  /** The seed of the sample market; null for a real inventory. */
  sampleSeed: number | null;
  /** The folder with the list of departure airports. */
  listsDir: string;
  staleAfterDays: number;
}

export interface RefreshWorkerApi {
  /** `done`: the models are today's and include the latest import. `elsewhere`: see `RefreshRun`. */
  refresh(): Promise<RefreshReport | RefreshRun>;
  /** Publishes today's price record, unless it is there or another server is refreshing. Returns the number of verdicts or null. */
  publish(): Promise<number | null>;
}

export interface PriceRefreshOptions extends RefreshWorkerData {
  /** Resolves when the inventory is loaded. The first refresh waits for this. */
  loaded: Promise<void>;
  log: (line: string) => void;
}

export interface PriceRefresh {
  /** Requests a refresh, for example after an import. It runs in a thread, after the current one. */
  refresh(): void;
  stop(): Promise<void>;
}

/** Refreshes the price models after the load, once a day, and after imports. */
export function startPriceRefresh({ loaded, log, ...setting }: PriceRefreshOptions): PriceRefresh {
  const file = new URL('../workers/price-refresh.ts', import.meta.url);
  const thread = workerThread(file, setting satisfies RefreshWorkerData, SMALL_HEAP);
  const { api } = thread.part<RefreshWorkerApi>('price refresh', { methods: ['refresh', 'publish'] });
  let stopped = false;

  async function refresh(): Promise<RefreshRun> {
    try {
      await publish();
      const outcome = await api.refresh();
      if (typeof outcome === 'string') return outcome;
      log(`Price models: version ${outcome.version}, from ${outcome.packages} packages`);
    } catch (error) {
      if (!stopped) log(`Refreshing the price history failed: ${errorMessage(error)}`);
    } finally {
      // Ends the thread, which frees the memory of the training.
      await thread.end();
    }
    return 'done';
  }

  /** Before training, which must not know the verdicts' prices. If it fails, the models are trained all the same. */
  async function publish(): Promise<void> {
    try {
      const verdicts = await api.publish();
      if (verdicts !== null) log(`Price record: ${verdicts} verdicts published`);
    } catch (error) {
      if (!stopped) log(`Publishing the price record failed: ${errorMessage(error)}`);
    }
  }

  const runs = refreshRuns(refresh, systemClock);
  loaded.then(
    () => runs.request(),
    () => log('Price history not refreshed: no inventory loaded'),
  );
  const timer = setInterval(() => runs.request(), CHECK_EVERY_MS);
  timer.unref();
  return {
    refresh: () => runs.request(),
    async stop() {
      stopped = true;
      clearInterval(timer);
      runs.stop();
      await thread.terminate();
    },
  };
}
