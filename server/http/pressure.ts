import { readFileSync } from 'node:fs';
import type { Clock } from '../lib/clock.ts';
import { log } from '../lib/log.ts';
import { memoryLimit } from '../lib/memory-limit.ts';
import { oldSpaceLimit, usedOldSpace } from '../lib/old-space.ts';
import { type MemoryLimits, memoryRelief } from './memory-relief.ts';
import { warnOfShortMemory } from './short-memory.ts';

/** Why no more requests are accepted for the moment. */
export type PressureReason = 'event loop' | 'heap' | 'memory' | 'requests' | 'queue';

export interface PressureLimits extends MemoryLimits {
  /** Milliseconds by which a timer may be late twice in a row. */
  loopDelayMs: number;
  /** Requests at the same time that are accepted however late timers are: so few cannot be the cause. */
  requestsWhileLate: number;
  /** The share of the space for old objects (`--max-old-space-size`). */
  heapShare: number;
}

export const PRESSURE_LIMITS: PressureLimits = {
  loopDelayMs: 500,
  requestsWhileLate: 10,
  heapShare: 0.85,
  memoryShare: 0.85,
  collectShare: 0.7,
  collectGrowth: 0.05,
};

export interface MemoryUse {
  /** Shares from 0 to 1; 0 for an unknown limit. */
  heapShare: number;
  memoryShare: number;
  /** The share of what should be enough for the process (`ENOUGH`), or of its limit if that is less. */
  enoughShare: number;
}

/**
 * Bytes that no flood should make the process exceed. Attacks of several kinds one after another leave more behind than
 * each alone, because V8 keeps for each thread what it once had.
 */
const ENOUGH = 1_000_000_000;

/** Milliseconds between two looks at the clock and the memory. */
const EVERY = 100;

/** Watches the event loop and the memory of the process. */
export function watchPressure(
  limits: PressureLimits,
  clock: Clock,
  memory: () => MemoryUse = memoryRelief(limits, processMemory()),
  warn: (text: string) => void = (text) => log.warn(text),
): {
  /** `requests` at the same time. `mayBeLate`: late timers are no reason to refuse this one. */
  reason(requests: number, mayBeLate: boolean): PressureReason | null;
  stop(): void;
} {
  let lookedAt = clock.now();
  let delay = 0;
  let delayBefore = 0;
  const watchedMemory = warnOfShortMemory(limits.memoryShare, memory, clock, warn);
  let used = watchedMemory();
  let stopTimer = () => {};

  function look(): void {
    const now = clock.now();
    delayBefore = delay;
    delay = now - lookedAt - EVERY;
    lookedAt = now;
    used = watchedMemory();
    stopTimer = clock.after(EVERY, look);
  }
  stopTimer = clock.after(EVERY, look);

  return {
    reason(requests, mayBeLate) {
      // Late twice in a row: one pause, such as a garbage collection, is no overload. It may be late at this moment.
      const delayNow = clock.now() - lookedAt - EVERY;
      const late = Math.min(delay, Math.max(delayBefore, delayNow));
      const isBusy = requests > limits.requestsWhileLate;
      if (late > limits.loopDelayMs && isBusy && !mayBeLate) return 'event loop';
      if (used.heapShare > limits.heapShare) return 'heap';
      return used.memoryShare > limits.memoryShare ? 'memory' : null;
    },
    stop: () => stopTimer(),
  };
}

const STATUS = '/proc/self/status';

/**
 * Bytes that only this process uses. The resident set also counts pages of files, which the system can drop. Null while
 * the system does not tell: with no file left to open, it cannot be asked.
 */
function ownMemory(status: string = STATUS): number | null {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(status, 'latin1'))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return null;
  }
}

/** Shares of this process. What it uses while the system does not tell is what it used before. */
export function processMemory(status: string = STATUS): () => MemoryUse {
  const oldSpace = oldSpaceLimit();
  const allowed = memoryLimit();
  let own = 0;
  return () => {
    own = ownMemory(status) ?? own;
    return {
      heapShare: usedOldSpace() / oldSpace,
      memoryShare: own / allowed,
      enoughShare: own / Math.min(allowed, ENOUGH),
    };
  };
}
