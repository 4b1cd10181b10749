/** The time on the process's monotonic clock after which a result is useless. */
export interface Deadline {
  /** Milliseconds left, at least 0. */
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

export function deadlineIn(ms: number): Deadline {
  return new MonotonicDeadline(performance.now() + ms);
}

export const NO_DEADLINE: Deadline = deadlineIn(Number.POSITIVE_INFINITY);
