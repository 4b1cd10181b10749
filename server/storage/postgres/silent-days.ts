/** Departure days since 1970 that are looked at: until 2059. */
export const DAYS = 32_768;

/**
 * The departure days whose packages are on workers of Citus that do not respond. One thread looks, and all read what it
 * has found: a thread that waits for a statement could not look itself.
 */
export interface SilentDays {
  has(day: number): boolean;
  /** Replaces all of them. */
  set(days: ReadonlySet<number>): void;
}

export function newSilentDays(): SharedArrayBuffer {
  return new SharedArrayBuffer(DAYS);
}

export function silentDays(shared: SharedArrayBuffer): SilentDays {
  const flags = new Uint8Array(shared);
  return {
    has: (day) => flags[day] === 1,
    set(days) {
      for (let day = 0; day < DAYS; day += 1) Atomics.store(flags, day, days.has(day) ? 1 : 0);
    },
  };
}
