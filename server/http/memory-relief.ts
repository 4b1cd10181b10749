import { askThreadsToCollect, pacedCollection } from '../lib/collect-garbage.ts';

/** Shares from 0 to 1. */
export interface MemoryLimits {
  /** Of what the system allows the process: no more requests are accepted beyond it. */
  memoryShare: number;
  /** Of what is enough for the process: garbage is collected beyond it, and again when so much was added. */
  collectShare: number;
  collectGrowth: number;
}

/** How garbage is collected. */
export interface Collection {
  /** In this thread, now. Returns false if it rests from the last time. */
  collect(): boolean;
  askThreads(): void;
}

const OF_PROCESS: Collection = { collect: pacedCollection(), askThreads: askThreadsToCollect };

/**
 * Reads the use of memory, and has garbage collected where it is high. The system counts what V8 has emptied and kept as
 * in use; while everything is refused for it, hardly anything would make V8 return it. Below the share at which requests
 * are refused, only growth is a reason: a server that rests with little memory left does not collect again and again.
 */
export function memoryRelief<Use extends { memoryShare: number; enoughShare: number }>(
  { memoryShare, collectShare, collectGrowth }: MemoryLimits,
  memory: () => Use,
  { collect, askThreads }: Collection = OF_PROCESS,
): () => Use {
  /** The share after the last collection, or a lower one since. */
  let lowest = 0;

  return () => {
    const used = memory();
    lowest = Math.min(lowest, used.enoughShare);
    const isShort = used.memoryShare > memoryShare;
    const hasGrown = used.enoughShare > Math.max(collectShare, lowest + collectGrowth);
    if (!(isShort || hasGrown) || !collect()) return used;
    const left = memory();
    lowest = left.enoughShare;
    // Most of it is in this thread. The others hold up searches while they collect.
    if (left.enoughShare > collectShare) askThreads();
    return left;
  };
}
