import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { SampleProgress } from './load-sample.ts';

/** The first message to the loading process. */
export interface SampleTask {
  store: StoreAddress;
  seed: number;
}

/** Progress, the end of loading, or its failure. The process ends once prices have moved to today. */
export type SampleMessage = SampleProgress | 'loaded' | { failed: Error };

export interface SampleInventoryOptions extends SampleTask {
  onProgress: (progress: SampleProgress) => void;
  log: (line: string) => void;
}

export interface SampleInventory {
  /** Resolves after the first load; rejects if it failed. */
  complete: Promise<void>;
  /** Resolves when the first load has also moved prices to today; rejects like `complete`. */
  moved: Promise<void>;
  stop(): Promise<void>;
}

/** The time between two loads: short, so that a new day is added soon after midnight. */
const TOP_UP_EVERY_MS = 3 * 60 * 60 * 1000;

/** What the server uses of the loading process. */
export type Loader = Pick<ChildProcess, 'on' | 'once' | 'send' | 'connected'>;

const LOADER = join(import.meta.dirname, '../workers/sample.ts');

/**
 * Loads the sample inventory, then adds days and moves prices daily while the server runs. Uses a separate
 * process, because a thread would leave 250 MB in the server's memory.
 */
export function startSampleInventory(
  options: SampleInventoryOptions,
  start: () => Loader = () => fork(LOADER, { serialization: 'advanced' }),
  clock: Clock = systemClock,
): SampleInventory {
  let current = runLoad(options, start());
  const { complete, moved } = current;
  let hasStopped = false;
  let stopTimer = () => {};

  /** Schedules the next load only once the current one has ended, so that a stop ends all loads. */
  function topUpLater(): void {
    if (hasStopped) return;
    stopTimer = clock.after(TOP_UP_EVERY_MS, () => {
      current = runLoad({ ...options, onProgress: () => {} }, start());
      const failed = (error: unknown) => options.log(`Sample inventory update failed: ${String(error)}`);
      void current.moved.catch(failed).then(topUpLater);
    });
  }

  moved.then(topUpLater, topUpLater);
  return {
    complete,
    moved,
    async stop() {
      hasStopped = true;
      stopTimer();
      await current.stop();
    },
  };
}

function runLoad({ store, seed, onProgress }: SampleInventoryOptions, loader: Loader): SampleInventory {
  let failure: Error | null = null;
  const moved = new Promise<void>((resolve, reject) => {
    // May occur twice if the process cannot be started: on start and on `send`.
    loader.on('error', reject);
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
  // There is no channel to the process if no file descriptor was free.
  if (loader.connected) loader.send({ store: shareable(store), seed } satisfies SampleTask);
  // A process that failed or was stopped ends without sending 'loaded'.
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

/** The address without memory that only threads of one process can share. */
function shareable(store: StoreAddress): StoreAddress {
  if (store.kind === 'embedded') return store;
  const { kind, url, readUrls } = store;
  return { kind, url, readUrls };
}
