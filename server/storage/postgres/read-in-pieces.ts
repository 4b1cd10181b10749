import type { Duplex } from 'node:stream';
import { setImmediate as nextPass } from 'node:timers/promises';
import { afterWork } from '../../lib/work-queue/after-work.ts';
import { LONGEST_PIECE, type Rest } from '../../lib/work-queue/pieces.ts';

/**
 * Rests while data arrive on a stream. To make rows of megabytes takes longer than to look through them, and a stream
 * passes on all that has arrived. What arrives is counted with the work that follows at once. Once the signal is aborted,
 * the rest is read soon, so that the connection is free. Returns the function that ends this.
 */
export function readInPieces(stream: Duplex, rest: Rest, signal: AbortSignal | null): () => void {
  let from = 0;
  /** Milliseconds since the last rest. */
  let worked = 0;
  let isWorking = false;
  let isResting = false;
  let isStopped = false;

  async function restNow(): Promise<void> {
    const ms = worked;
    worked = 0;
    // Whoever may not go on is told so where it looks through the rows.
    const rested = rest(ms).catch(() => {});
    await (signal?.aborted ? nextPass() : rested);
  }

  async function pause(): Promise<void> {
    isResting = true;
    stream.pause();
    await restNow();
    isResting = false;
    if (!isStopped) stream.resume();
  }

  function begin(): void {
    from = performance.now();
    isWorking = true;
  }

  function end(): void {
    afterWork(() => {
      isWorking = false;
      worked += performance.now() - from;
      if (isStopped) void restNow();
      else if (worked >= LONGEST_PIECE && !isResting) void pause();
    });
  }

  // Around the listener that makes rows of them.
  stream.prependListener('data', begin);
  stream.on('data', end);
  return () => {
    isStopped = true;
    stream.off('data', begin);
    stream.off('data', end);
    stream.resume();
    if (!isWorking) void restNow();
  };
}
