/** The time on the process's monotonic clock after which a result is useless. */
export interface Deadline {
  /** Milliseconds left, at least 0. */
  readonly leftMs: number;
  readonly hasPassed: boolean;
}

export function deadlineIn(ms: number): Deadline {
  const at = performance.now() + ms;
  return {
    get leftMs() {
      return Math.max(0, at - performance.now());
    },
    get hasPassed() {
      return performance.now() >= at;
    },
  };
}

export const NO_DEADLINE: Deadline = deadlineIn(Number.POSITIVE_INFINITY);
