import type { WorkerThread } from '../lib/worker-rpc.ts';
import type { AdminFacts, AdminWorkerApi } from './admin-facts.ts';

/** How long facts are reused, because reading a large store takes seconds. */
const FRESH_FOR_MS = 10_000;

/** Reads the facts for /admin in a thread. Callers share a recent reading. */
export function adminFactsIn(thread: WorkerThread) {
  const { api, close } = thread.part<AdminWorkerApi>('admin', { methods: ['read'] });
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
    stop: close,
  };
}
