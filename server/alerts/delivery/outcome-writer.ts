import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../lib/error-message.ts';
import type { SendOutcome } from '../providers/message-provider.ts';

const RETRY_EVERY_MS = 1_000;

/** How long writes are retried after a stop. A supervisor waits 40 seconds for the process. */
const RETRY_AFTER_STOP_MS = 10_000;

/**
 * Writes the outcomes of calls one by one, because a failing write may block the thread. A failed write is retried after the
 * others, until some time after `stopping`. Discarded outcomes become unknown when their lease expires.
 */
export function outcomeWriter(
  write: (attempt: number, outcome: SendOutcome) => void,
  stopping: AbortSignal,
  log: (line: string) => void,
): (attempt: number, outcome: SendOutcome) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let lastTryAt = Number.POSITIVE_INFINITY;
  stopping.addEventListener('abort', () => {
    lastTryAt = performance.now() + RETRY_AFTER_STOP_MS;
  });

  /** True if the outcome is written or discarded. */
  async function tryToWrite(attempt: number, outcome: SendOutcome): Promise<boolean> {
    if (performance.now() > lastTryAt) return true;
    try {
      write(attempt, outcome);
      return true;
    } catch (error) {
      log(`The outcome of a call could not be written: ${errorMessage(error)}`);
      // Unreferenced, so that it does not keep the process alive.
      await sleep(RETRY_EVERY_MS, null, { ref: false });
      return false;
    }
  }

  return async (attempt, outcome) => {
    for (let isDone = false; !isDone; ) {
      const turn = last.then(() => tryToWrite(attempt, outcome));
      last = turn;
      isDone = await turn;
    }
  };
}
