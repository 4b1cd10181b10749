/** Runs tasks one after the other, in the order of the calls. */
export function inTurn() {
  let last: Promise<void> | null = null;

  return {
    async run<T>(task: () => Promise<T>): Promise<T> {
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
    /** Resolves when no task runs or waits; null if that is so now. */
    idle: (): Promise<void> | null => last,
  };
}
