import type { Caller } from '../caller.ts';
import type { WorkQueue } from './work-queue.ts';

/**
 * Turns on the event loop: resolves when the caller may start its work, and keeps its place in `queue` until the next
 * pass of the loop. So one pass starts only as much work as the queue runs at a time, requests that came in together
 * are sorted by fairness, and connections are read in between.
 */
export function eventLoopTurns(
  queue: WorkQueue,
  afterThisPass: (task: () => void) => void = setImmediate,
): (caller: Caller) => Promise<void> {
  return (caller) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    queue
      .run(caller, 1, () => {
        resolve();
        return new Promise<void>((done) => afterThisPass(done));
      })
      .catch(reject);
    return promise;
  };
}
