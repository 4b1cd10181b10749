import type { Finding } from '../conditions/condition.ts';
import type { StoreFacts } from '../conditions/store-facts.ts';
import type { WorkerThread } from '../lib/worker-rpc.ts';

/** Facts about the store, and what is wrong as far as it shows. */
export type ObservedStore = StoreFacts & { problems: readonly Finding[] };

export interface KnownStoreFacts {
  /** The last known facts; null before the first reading. Refreshes stale facts in the background. */
  latest(): ObservedStore | null;
  /** Reads the facts now. Rejects if the store does not respond. */
  refresh(): Promise<ObservedStore>;
  stop(): Promise<void>;
}

const FRESH_FOR_MS = 5 * 60_000;

/** The pause between readings, in multiples of a reading's duration. Reading takes at most 1% of the time. */
const PAUSE_FACTOR = 100;

export interface StoreFactsApi {
  read(): Promise<ObservedStore>;
}

/** Reads the facts in a thread. `log` receives failures. */
export function storeFactsIn(thread: WorkerThread, log: (line: string) => void): KnownStoreFacts {
  const { api, close } = thread.part<StoreFactsApi>('facts', { methods: ['read'] });
  return knownStoreFacts({ ...api, stop: close }, () => performance.now(), log);
}

/** Reads the facts from any source. `clock` is in milliseconds. */
export function knownStoreFacts(
  source: StoreFactsApi & { stop(): Promise<void> },
  clock: () => number,
  log: (line: string) => void,
): KnownStoreFacts {
  let facts: ObservedStore | null = null;
  let reading: Promise<ObservedStore> | null = null;
  let staleAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<ObservedStore> {
    const from = clock();
    staleAt = from + FRESH_FOR_MS;
    try {
      facts = await source.read();
      staleAt = Math.max(staleAt, clock() + (clock() - from) * PAUSE_FACTOR);
      return facts;
    } finally {
      reading = null;
    }
  }
  function refresh(): Promise<ObservedStore> {
    reading ??= read();
    return reading;
  }

  return {
    latest() {
      if (clock() >= staleAt) {
        refresh().catch((error: unknown) => log(`The store metrics could not be read: ${String(error)}`));
      }
      return facts;
    },
    refresh,
    stop: () => source.stop(),
  };
}
