import type { Clock } from '../lib/clock.ts';

/** Milliseconds that a scrape waits for the figures of a thread, whose store can be locked for much longer. */
const LONGEST_SCRAPE_MS = 1_000;

/**
 * Asks a thread for its figures. Null: it fails, or does not answer in time, for which the other metrics must not wait.
 * While a question is open, whoever asks waits for its answer, so that scrapes leave no pile of questions in the thread.
 */
export function inTime<T>(ask: () => Promise<T>, clock: Clock): () => Promise<T | null> {
  let open: Promise<T | null> | null = null;

  async function answer(): Promise<T | null> {
    try {
      return await ask();
    } catch {
      return null;
    }
  }

  return async () => {
    open ??= answer().finally(() => {
      open = null;
    });
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const stopTimer = clock.after(LONGEST_SCRAPE_MS, () => resolve(null));
    try {
      return await Promise.race([open, late]);
    } finally {
      stopTimer();
    }
  };
}
