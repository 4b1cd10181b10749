import { workerPool } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { AdminFacts } from './admin-facts.ts';

/** How long facts are reused, because reading a large store takes seconds. */
const FRESH_FOR_MS = 10_000;

/** Limits the thread's heap, because each reading leaves garbage. */
const SMALL_HEAP = { maxYoungGenerationSizeMb: 8 };

export interface AdminWorkerData {
  store: StoreAddress;
  pencePerMessage: number;
  feedLateMs: number;
}

export interface AdminWorkerApi {
  read(): AdminFacts;
}

/** Reads the facts for /admin in a thread, which starts on the first call. Callers share a recent reading. */
export function adminFactsInThread(data: AdminWorkerData) {
  const file = new URL('../workers/admin.ts', import.meta.url);
  const { api, terminate } = workerPool<AdminWorkerApi>(file, data, {
    methods: ['read'],
    resourceLimits: SMALL_HEAP,
  });
  let reading: Promise<AdminFacts> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;

  return {
    /** If `isNew`, reads the facts again, because something has changed. */
    read(isNew = false): Promise<AdminFacts> {
      if (isNew || reading === null || performance.now() >= freshUntil) {
        freshUntil = Number.POSITIVE_INFINITY;
        reading = api.read();
        reading.then(
          () => {
            freshUntil = performance.now() + FRESH_FOR_MS;
          },
          () => {
            reading = null;
          },
        );
      }
      return reading;
    },
    stop: terminate,
  };
}
