import { AsyncLocalStorage } from 'node:async_hooks';

/** A transaction of type `Open` that a block runs in. */
interface Scope<Open> {
  open: Open | null;
}

/** Remembers which transaction of one store the running code is in. */
export interface TransactionScope<Open> {
  /** Runs a block in a transaction. Refuses one inside another. */
  run<T>(open: Open, block: () => Promise<T>): Promise<T>;
  /** The transaction of the calling code, or null. Throws if it has ended. */
  current(): Open | null;
}

export function transactionScope<Open>(): TransactionScope<Open> {
  const scopes = new AsyncLocalStorage<Scope<Open>>();
  return {
    async run(open, block) {
      const scope: Scope<Open> = { open };
      try {
        return await scopes.run(scope, block);
      } finally {
        scope.open = null;
      }
    },
    current() {
      const scope = scopes.getStore();
      if (scope === undefined) return null;
      if (scope.open === null) throw new Error('A statement came after the end of its transaction');
      return scope.open;
    },
  };
}
