import type { Clock } from '../lib/clock.ts';

/** Milliseconds for which memory may be short in each minute before the operator is told: a flood ends by itself. */
const LASTING = 10_000;
const MINUTE = 60_000;

/** Warns, once a minute at most, of memory of which so much is in use that no requests are accepted, if it lasts. */
export function warnOfShortMemory<Use extends { memoryShare: number }>(
  memoryShare: number,
  memory: () => Use,
  clock: Clock,
  warn: (text: string) => void,
): () => Use {
  let minuteEnds = clock.now() + MINUTE;
  let lookedAt = clock.now();
  let shortFor = 0;

  return () => {
    const used = memory();
    const now = clock.now();
    if (used.memoryShare > memoryShare) shortFor += now - lookedAt;
    lookedAt = now;
    if (now < minuteEnds) return used;
    if (shortFor >= LASTING) warn(warning(shortFor, memoryShare));
    minuteEnds = now + MINUTE;
    shortFor = 0;
    return used;
  };
}

function warning(shortFor: number, memoryShare: number): string {
  const seconds = Math.round(shortFor / 1_000);
  const percent = Math.round(memoryShare * 100);
  return `For ${seconds} seconds of the last minute no requests were accepted, because the process used over ${percent}% of the memory that it may. If this happens again, raise its limit.`;
}
