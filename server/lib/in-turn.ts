/** Runs tasks one after the other, in the order of the calls. */
export interface Turns {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when no task runs or waits; null if that is so now. */
  idle(): Promise<void> | null;
}

export function inTurn(): Turns {
  let last: Promise<void> | null = null;

  return {
    async run(task) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      try {
        await before;
        return await task();
      } finally {
        if (last === promise) last = null;
        resolve();
      }
    },
    idle: () => last,
  };
}
