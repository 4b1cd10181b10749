import { workerPool } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { AdminFacts } from './admin-facts.ts';

/** Reading a large store takes seconds. */
const FRESH_FOR_MS = 10_000;

/** Each reading leaves garbage. */
const SMALL_HEAP = { maxYoungGenerationSizeMb: 8 };

export interface AdminWorkerData {
  store: StoreAddress;
  pencePerMessage: number;
  feedLateMs: number;
}

export interface AdminWorkerApi {
  read(): AdminFacts;
}

/** Reads the facts of /admin in a thread, which starts with the first reading. Callers share a recent one. */
export function adminFactsInThread(data: AdminWorkerData) {
  const file = new URL('../workers/admin.ts', import.meta.url);
  const { api, terminate } = workerPool<AdminWorkerApi>(file, data, {
    methods: ['read'],
    resourceLimits: SMALL_HEAP,
  });
  let reading: Promise<AdminFacts> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;

  return {
    /** `isNew`: after a change. */
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
