/** The nights that the form offers (Section 9). */
export const DURATIONS = [4, 7, 10, 14] as const;

export type Duration = (typeof DURATIONS)[number];

export const DEFAULT_DURATION = 7;

/** The duration in `text`; null if the form does not offer it. */
export function parseDuration(text: string): Duration | null {
  return DURATIONS.find((nights) => String(nights) === text.trim()) ?? null;
}

/** '2h 35m' from 155 minutes (Section 2). */
export function formatFlightDuration(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  return `${Math.floor(whole / 60)}h ${whole % 60}m`;
}
