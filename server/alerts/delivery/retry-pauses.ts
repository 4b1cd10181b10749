const A_MINUTE_MS = 60_000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;

/** Delays before a retry, by reason. The last one repeats until the message is out of date. */
const PAUSES = {
  soon: [0.5, 1, 2, 4, 8, 15].map((minutes) => minutes * A_MINUTE_MS),
  later: [1, 6, 24, 48].map((hours) => hours * AN_HOUR_MS),
  template: [5, 10, 20, 40, 60].map((minutes) => minutes * A_MINUTE_MS),
  lookUp: [1, 2, 5, 15, 30, 60].map((minutes) => minutes * A_MINUTE_MS),
} as const;

/** The delay after the `times`th failure in milliseconds, with up to a quarter of jitter. */
export function retryPause(why: keyof typeof PAUSES, times: number): number {
  const pauses = PAUSES[why];
  const pause = pauses[Math.min(Math.max(times, 1), pauses.length) - 1] ?? 0;
  return Math.round(pause * (1 + Math.random() / 4));
}
