import { errorMessage } from '../../lib/error-message.ts';
import type { SendOutcome } from '../providers/message-provider.ts';

/** Between two tries, in milliseconds. */
const TRY_EVERY_MS = 1_000;

/** How long it is tried once the process is to end, which a supervisor waits for 40 seconds. */
const LAST_TRIES_MS = 10_000;

interface Heard {
  attempt: number;
  outcome: SendOutcome;
  over(): void;
}

/**
 * Writes down what came of calls by `write`, which throws where the store cannot take it: what was heard is kept until
 * it can, however long that is. One tries for all, and the next one after it: while the store is away each try may hold
 * the thread up, and one that is never taken must not keep the others from it. What is given up after `stopping` is
 * listed as unknown when its lease is over. The promise ends when the outcome is written or given up.
 */
export function outcomeWriter(
  write: (attempt: number, outcome: SendOutcome) => void,
  stopping: AbortSignal,
  log: (line: string) => void,
): (attempt: number, outcome: SendOutcome) => Promise<void> {
  const waiting: Heard[] = [];
  let isWriting = false;
  let lastTryAt = Number.POSITIVE_INFINITY;
  stopping.addEventListener('abort', () => {
    lastTryAt = performance.now() + LAST_TRIES_MS;
  });

  async function writeAll(): Promise<void> {
    isWriting = true;
    for (let heard = waiting.shift(); heard !== undefined; heard = waiting.shift()) {
      try {
        write(heard.attempt, heard.outcome);
        heard.over();
      } catch (error) {
        log(`The outcome of a call could not be written: ${errorMessage(error)}`);
        waiting.push(heard);
        if (performance.now() > lastTryAt) for (const { over } of waiting.splice(0)) over();
        else await aWhile();
      }
    }
    isWriting = false;
  }

  return (attempt, outcome) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ attempt, outcome, over: resolve });
    if (!isWriting) void writeAll();
    return promise;
  };
}

/** Keeps no process alive. */
function aWhile(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, TRY_EVERY_MS).unref();
  return promise;
}
