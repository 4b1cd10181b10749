import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PriceChangeQueue } from './price-change-queue.ts';

/** Matches price changes whose importer was killed or hangs. */
export interface AbandonedChanges {
  /** Matches the queue if its head has not moved since the last look. Each turn of the event loop matches a few. */
  look(): Promise<void>;
  stop(): void;
}

/** `failed` is called with what an attempt threw; the next look tries again. */
export function abandonedChanges(
  queue: Pick<PriceChangeQueue, 'settleNext' | 'head'>,
  failed: (error: unknown) => void,
): AbandonedChanges {
  let seen: string | null = null;
  let isSettling = false;
  let isStopped = false;
  return {
    async look() {
      if (isSettling) return;
      isSettling = true;
      try {
        const head = queue.head();
        const isAbandoned = head !== null && head === seen;
        seen = head;
        if (isAbandoned) while (!isStopped && queue.settleNext()) await nextTurn();
      } catch (error) {
        failed(error);
      } finally {
        isSettling = false;
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
