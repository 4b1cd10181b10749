import { AsyncLocalStorage } from 'node:async_hooks';

export const TRANSACTION_ENDED = 'A statement came after the end of its transaction';

/** Keeps blocks of one store from using anything but their `tx`, which would wait for its end, or not belong to it. */
export function transactionBlocks() {
  const blocks = new AsyncLocalStorage<{ hasEnded: boolean }>();
  return {
    async run<T>(block: () => Promise<T>): Promise<T> {
      const own = { hasEnded: false };
      try {
        return await blocks.run(own, block);
      } finally {
        own.hasEnded = true;
      }
    },
    /** Throws if the calling code is in a block. */
    requireOutside(): void {
      if (blocks.getStore()?.hasEnded === false)
        throw new Error("A transaction's block used the store itself instead of its tx");
    },
  };
}
