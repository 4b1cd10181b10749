const A_MINUTE_MS = 60_000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** Pauses before a message is tried again, by why; the last one repeats until the message is out of date. */
const PAUSES = {
  soon: [0.5, 1, 2, 4, 8, 15].map((minutes) => minutes * A_MINUTE_MS),
  later: [1, 6, 24, 48].map((hours) => hours * AN_HOUR_MS),
  template: [5, 10, 20, 40, 60].map((minutes) => minutes * A_MINUTE_MS),
  lookUp: [1, 2, 5, 15, 30, 60].map((minutes) => minutes * A_MINUTE_MS),
} as const;

/** The pause after the `times`th failure, at most a quarter longer, in milliseconds. */
export function retryPause(why: keyof typeof PAUSES, times: number, seed: number): number {
  const pauses = PAUSES[why];
  const pause = pauses[Math.min(Math.max(times, 1), pauses.length) - 1] ?? 0;
  return Math.round(pause * (1 + jitter(seed, times) / 4));
}

/** From 0 to 1, always the same for the same message and failure. It spreads the messages of one outage. */
function jitter(seed: number, times: number): number {
  let mixed = Math.imul(seed ^ (times << 16), 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 2 ** 32;
}
