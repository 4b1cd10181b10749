/**
 * Milliseconds of the processor that this thread has used. Unlike a clock, it stands still while the thread waits for a
 * processor. Systems count it in ticks, so that a short difference may be wrong by `TICK_MS`.
 */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds: Linux counts 250 ticks a second by default. */
export const TICK_MS = 4;
