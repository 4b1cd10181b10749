import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { StoreAddress } from '../storage/store-address.ts';
import type { SampleProgress } from './load-sample.ts';

/** What the loading process is told first. */
export interface SampleTask {
  store: StoreAddress;
  seed: number;
}

/**
 * What the process reports: progress, that everything is loaded, or why it ends too soon. It ends when prices have moved
 * to today.
 */
export type SampleMessage = SampleProgress | 'loaded' | { failed: Error };

export interface SampleInventoryOptions extends SampleTask {
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

/**
 * Loads the sample inventory, and adds new days and moves prices every day while the server runs. It does so in a process
 * of its own: the memory that a load in a thread takes stays with the server, some 250 MB.
 */
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

const LOADER = join(import.meta.dirname, '../workers/sample.ts');

function runLoad({ store, seed, onProgress }: SampleInventoryOptions): SampleInventory {
  const loader = fork(LOADER, { serialization: 'advanced' });
  let failure: Error | null = null;
  const moved = new Promise<void>((resolve, reject) => {
    loader.once('error', reject);
    loader.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(failure ?? new Error(`The process that loads the sample ended with ${signal ?? code}`));
    });
  });
  const loaded = new Promise<void>((resolve) => {
    loader.on('message', (message: SampleMessage) => {
      if (message === 'loaded') resolve();
      else if ('failed' in message) failure = message.failed;
      else onProgress(message);
    });
  });
  loader.send({ store: shareable(store), seed } satisfies SampleTask);
  // A process that was stopped, or failed, ends without the message.
  const complete = Promise.race([loaded, moved]);
  complete.catch(() => {});
  return {
    complete,
    moved,
    async stop() {
      if (loader.connected) loader.send('stop', () => {});
      await moved.catch(() => {});
    },
  };
}

/** Without what only the threads of one process can share. */
function shareable(store: StoreAddress): StoreAddress {
  if (store.kind === 'embedded') return store;
  const { kind, url, readUrls } = store;
  return { kind, url, readUrls };
}
