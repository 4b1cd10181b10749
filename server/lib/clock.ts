/** A clock and timer as an interface, so that tests can replace them. */
export interface Clock {
  /** Milliseconds since an arbitrary start. Never goes back. */
  now(): number;
  /** Runs a task once, after `ms`. Returns a function that cancels it. */
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
