import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '../../lib/error-message.ts';
import type { SendOutcome } from '../providers/message-provider.ts';

/** Wait between two writes while the store fails, in milliseconds. */
const RETRY_EVERY_MS = 1_000;

/** How long writes are retried after a stop, in milliseconds. A supervisor waits 40 seconds for the process. */
const RETRY_AFTER_STOP_MS = 10_000;

/**
 * Records the outcomes of calls with `write`, which throws if the store cannot take it. Outcomes are kept in memory
 * until it can. They are written one after the other, because each failing write may block the thread; one that fails goes
 * to the end of the queue. Outcomes discarded after `stopping` become unknown when their lease expires. The promise resolves
 * when the outcome is written or discarded.
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

  /** Whether the outcome is written or discarded. */
  async function tryToWrite(attempt: number, outcome: SendOutcome): Promise<boolean> {
    if (performance.now() > lastTryAt) return true;
    try {
      write(attempt, outcome);
      return true;
    } catch (error) {
      log(`The outcome of a call could not be written: ${errorMessage(error)}`);
      // The timer does not keep the process alive.
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
