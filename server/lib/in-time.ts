import type { Clock } from './clock.ts';

/** How long a scrape waits for a thread. The thread may wait longer for the store's lock. */
const MAX_SCRAPE_MS = 1_000;

/**
 * Reads values from a thread; null if it fails or is too slow. Callers share a pending read, so that scrapes
 * do not queue up in the thread.
 */
export function inTime<T>(read: () => Promise<T>, clock: Clock): () => Promise<T | null> {
  let open: Promise<T | null> | null = null;

  async function readOrNull(): Promise<T | null> {
    try {
      return await read();
    } catch {
      return null;
    }
  }

  return async () => {
    open ??= readOrNull().finally(() => {
      open = null;
    });
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const stopTimer = clock.after(MAX_SCRAPE_MS, () => resolve(null));
    try {
      return await Promise.race([open, late]);
    } finally {
      stopTimer();
    }
  };
}
