import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../lib/error-message.ts';
import type { SendOutcome } from '../providers/message-provider.ts';

const RETRY_EVERY_MS = 1_000;

/** How long writes are retried after a stop. Supervisors give the process 40 seconds to end. */
const RETRY_AFTER_STOP_MS = 10_000;

/**
 * Writes call outcomes one by one, because a failing write may block the thread. Retries a failed write after
 * the others, until `RETRY_AFTER_STOP_MS` after `stopping` aborts. A discarded outcome becomes unknown when its
 * lease expires.
 */
export function outcomeWriter(
  write: (attempt: number, outcome: SendOutcome) => Promise<void>,
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
      await write(attempt, outcome);
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
