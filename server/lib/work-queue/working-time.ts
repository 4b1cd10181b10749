import type { Rest } from './pieces.ts';

/** Counts the time of work that rests in between, without its rests. */
export interface WorkingTime {
  /** Milliseconds until now. */
  readonly ms: number;
  /** Runs a part of the work, whose time counts. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** The rest of the work, whose time does not count. */
  rest: Rest;
}

/** `now` is in milliseconds of a monotonic clock. */
export function workingTime(rest: Rest, now: () => number = () => performance.now()): WorkingTime {
  let ms = 0;
  let countedAt = now();
  let parts = 0;
  /** Rests may overlap: what arrives for the work waits, and so does what looks through it. */
  let rests = 0;

  function count(): void {
    const at = now();
    if (parts > 0 && rests === 0) ms += at - countedAt;
    countedAt = at;
  }

  return {
    get ms() {
      count();
      return ms;
    },
    async during(work) {
      count();
      parts += 1;
      try {
        return await work();
      } finally {
        count();
        parts -= 1;
      }
    },
    async rest(worked) {
      count();
      rests += 1;
      try {
        await rest(worked);
      } finally {
        count();
        rests -= 1;
      }
    },
  };
}
