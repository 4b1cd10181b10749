import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import { type Clock, systemClock } from './clock.ts';
import { threadTime } from './thread-time.ts';

/** A thread rests for so many times the processor time of a collection: they never take more than 5% of it. */
const REST = 20;

/** Milliseconds of rest at least: what was freed is soon in use again, under a load that needs it. */
const LEAST_REST = 2_000;

/** The threads of the process that can be asked to collect. */
const CHANNEL = 'skylark collect garbage';

/**
 * Collects the garbage of this thread and gives the memory back to the system. By itself V8 keeps the pages that it has
 * emptied, for the next load. Only a collection of the kind that it makes before it runs out of memory returns them all.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: (options: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc');
  gc({ type: 'major', flavor: 'last-resort' });
}

/** Collects garbage whenever it is called, unless the thread rests from the last time. Returns whether it did. */
export function pacedCollection(
  clock: Clock = systemClock,
  collect: () => void = collectGarbage,
  processorMs: () => number = threadTime,
): () => boolean {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() < restsUntil) return false;
    const from = processorMs();
    collect();
    restsUntil = clock.now() + Math.max(LEAST_REST, REST * (processorMs() - from));
    return true;
  };
}

/** Has this thread collect when another one asks for it. */
export function collectWhenAsked(collect: () => void = pacedCollection()): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = collect;
  channel.unref();
}

/** Asks all threads of the process that listen. One that is busy collects after its work. */
export function askThreadsToCollect(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(null);
  channel.close();
}
