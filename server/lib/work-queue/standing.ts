/** Milliseconds of waiting, less those without any, after which a queue stands in a flood. */
const STANDING_MS = 1_000;

/** More do not count: a flood is over once nothing has waited for a second. */
const MOST_MS = 2 * STANDING_MS;

/** Whether a queue stands in a flood, rather than after a burst. */
export interface Standing {
  /** Notes whether any work waits from now on. */
  note(hasWaiting: boolean): void;
  isStanding(): boolean;
}

/**
 * Counts the time in which work waits, and takes off that in which none does. Small and large work in one queue empties it
 * now and then for a moment, also in the middle of a flood: a count that began again each time would never see one. `now`
 * is in milliseconds of a monotonic clock.
 */
export function standing(now: () => number): Standing {
  let ms = 0;
  let hasWaiting = false;
  let countedAt = now();

  function count(): void {
    const at = now();
    const passed = at - countedAt;
    ms = hasWaiting ? Math.min(MOST_MS, ms + passed) : Math.max(0, ms - passed);
    countedAt = at;
  }

  return {
    note(isWaiting) {
      count();
      hasWaiting = isWaiting;
    },
    isStanding() {
      count();
      return ms >= STANDING_MS;
    },
  };
}
