import { Worker } from 'node:worker_threads';
import type { StoreAddress } from '../storage/store-address.ts';
import type { SampleProgress } from './load-sample.ts';

export interface SampleWorkerData {
  store: StoreAddress;
  seed: number;
}

/** What the worker reports: progress, and that everything is loaded. It ends when prices have moved to today. */
export type SampleMessage = SampleProgress | 'loaded';

export interface SampleInventoryOptions extends SampleWorkerData {
  onProgress: (progress: SampleProgress) => void;
  log: (line: string) => void;
}

export interface SampleInventory {
  /** Resolves after the first load; rejects if it failed. */
  complete: Promise<void>;
  /** Resolves when the prices of the first load have also moved to today; rejects like `complete`. */
  moved: Promise<void>;
  stop(): Promise<void>;
}

/** Short enough that a new day is added soon after midnight. */
const TOP_UP_EVERY_MS = 3 * 60 * 60 * 1000;

/** Loads the sample inventory in a worker thread, and adds new days and moves prices every day while the server runs. */
export function startSampleInventory(options: SampleInventoryOptions): SampleInventory {
  let current = runLoad(options);
  const { complete, moved } = current;
  const timer = setInterval(() => {
    current = runLoad({ ...options, onProgress: () => {} });
    current.moved.catch((error: unknown) => options.log(`Sample inventory update failed: ${String(error)}`));
  }, TOP_UP_EVERY_MS);
  timer.unref();
  return {
    complete,
    moved,
    async stop() {
      clearInterval(timer);
      await current.stop();
    },
  };
}

function runLoad({ store, seed, onProgress }: SampleInventoryOptions): SampleInventory {
  const workerData: SampleWorkerData = { store, seed };
  const worker = new Worker(new URL('../workers/sample.ts', import.meta.url), { workerData });
  const moved = new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
  const loaded = new Promise<void>((resolve) => {
    worker.on('message', (message: SampleMessage) => {
      if (message === 'loaded') resolve();
      else onProgress(message);
    });
  });
  // A worker that was stopped, or failed, ends without the message.
  const complete = Promise.race([loaded, moved]);
  complete.catch(() => {});
  return {
    complete,
    moved,
    async stop() {
      worker.postMessage('stop');
      await moved.catch(() => {});
    },
  };
}
