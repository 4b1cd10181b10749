/** The number of departure days, which reach from 1970 to 2059. */
export const DAYS = 32_768;

/** The departure days that cannot be read now. One thread updates them for the whole server. */
export interface UnreachableDays {
  has(day: number): boolean;
  set(days: ReadonlySet<number>): void;
}

/** The memory for `UnreachableDays` that threads share. */
export function sharedUnreachableDays(): SharedArrayBuffer {
  return new SharedArrayBuffer(DAYS);
}

export function unreachableDays(shared: SharedArrayBuffer): UnreachableDays {
  const flags = new Uint8Array(shared);
  return {
    has: (day) => flags[day] === 1,
    set(days) {
      for (let day = 0; day < DAYS; day += 1) Atomics.store(flags, day, days.has(day) ? 1 : 0);
    },
  };
}
