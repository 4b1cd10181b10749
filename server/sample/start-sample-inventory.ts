import { Worker } from 'node:worker_threads';
import type { StoreAddress } from '../storage/store-address.ts';
import type { SampleProgress } from './load-sample.ts';

export interface SampleWorkerData {
  store: StoreAddress;
  seed: number;
}

export interface SampleInventoryOptions extends SampleWorkerData {
  onProgress: (progress: SampleProgress) => void;
  log: (line: string) => void;
}

export interface SampleInventory {
  /** Resolves after the first load; rejects if it failed. */
  complete: Promise<void>;
  stop(): Promise<void>;
}

/** Short enough that a new day is added soon after midnight. */
const TOP_UP_EVERY_MS = 3 * 60 * 60 * 1000;

/** Loads the sample inventory in a worker thread, and adds new days while the server runs. */
export function startSampleInventory(options: SampleInventoryOptions): SampleInventory {
  let current = runLoad(options);
  const { complete } = current;
  const timer = setInterval(() => {
    current = runLoad({ ...options, onProgress: () => {} });
    current.complete.catch((error: unknown) =>
      options.log(`Sample inventory update failed: ${String(error)}`),
    );
  }, TOP_UP_EVERY_MS);
  timer.unref();
  return {
    complete,
    async stop() {
      clearInterval(timer);
      await current.stop();
    },
  };
}

function runLoad({ store, seed, onProgress }: SampleInventoryOptions): SampleInventory {
  const workerData: SampleWorkerData = { store, seed };
  const worker = new Worker(new URL('../workers/sample.ts', import.meta.url), { workerData });
  worker.on('message', onProgress);
  const complete = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
  return {
    complete,
    async stop() {
      worker.postMessage('stop');
      await complete.catch(() => {});
    },
  };
}
