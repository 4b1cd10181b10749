/** A moment after which a result is of no use, on the process's monotonic clock. */
export interface Deadline {
  /** Milliseconds, never below 0. */
  readonly leftMs: number;
  readonly hasPassed: boolean;
}

class MonotonicDeadline implements Deadline {
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  get leftMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  get hasPassed(): boolean {
    return performance.now() >= this.#at;
  }
}

/** The moment in `ms` milliseconds. */
export function deadlineIn(ms: number): Deadline {
  return new MonotonicDeadline(performance.now() + ms);
}

export const NO_DEADLINE: Deadline = deadlineIn(Number.POSITIVE_INFINITY);
