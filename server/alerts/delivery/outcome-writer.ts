import { errorMessage } from '../../lib/error-message.ts';
import type { SendOutcome } from '../providers/message-provider.ts';

/** Wait between two writes while the store fails, in milliseconds. */
const RETRY_EVERY_MS = 1_000;

/** How long writes are retried after a stop, in milliseconds. A supervisor waits 40 seconds for the process. */
const RETRY_AFTER_STOP_MS = 10_000;

interface PendingOutcome {
  attempt: number;
  outcome: SendOutcome;
  done(): void;
}

/**
 * Records the outcomes of calls with `write`, which throws if the store cannot take it. Outcomes are kept in memory
 * until it can, however long that is. They are written one after the other, because each failing write may block the
 * thread; one that fails goes to the end of the queue, so it does not delay the others. Outcomes discarded after
 * `stopping` become unknown when their lease expires. The promise resolves when the outcome is written or discarded.
 */
export function outcomeWriter(
  write: (attempt: number, outcome: SendOutcome) => void,
  stopping: AbortSignal,
  log: (line: string) => void,
): (attempt: number, outcome: SendOutcome) => Promise<void> {
  const queue: PendingOutcome[] = [];
  let isWriting = false;
  let lastTryAt = Number.POSITIVE_INFINITY;
  stopping.addEventListener('abort', () => {
    lastTryAt = performance.now() + RETRY_AFTER_STOP_MS;
  });

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let pending = queue.shift(); pending !== undefined; pending = queue.shift()) {
      try {
        write(pending.attempt, pending.outcome);
        pending.done();
      } catch (error) {
        log(`The outcome of a call could not be written: ${errorMessage(error)}`);
        queue.push(pending);
        if (performance.now() > lastTryAt) for (const { done } of queue.splice(0)) done();
        else await waitToRetry();
      }
    }
    isWriting = false;
  }

  return (attempt, outcome) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ attempt, outcome, done: resolve });
    if (!isWriting) void writeAll();
    return promise;
  };
}

/** The timer does not keep the process alive. */
function waitToRetry(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, RETRY_EVERY_MS).unref();
  return promise;
}
