/** Time for code that waits, so that a test or a simulation can supply its own. */
export interface Clock {
  /** Milliseconds since an arbitrary start. They never go back, whatever happens to the machine's clock. */
  now(): number;
  /** Runs a task once, after `ms`. Returns the function that cancels it. */
  after(ms: number, task: () => void): () => void;
}

/** The process's monotonic clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
