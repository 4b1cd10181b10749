import { workerPool } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { StoreFacts } from './read-store-facts.ts';

export interface KnownStoreFacts {
  /** The last known facts; null before the first reading. Refreshes stale facts in the background. */
  latest(): StoreFacts | null;
  /** Reads the facts now. Rejects if the store does not respond. */
  refresh(): Promise<StoreFacts>;
  stop(): Promise<void>;
}

const FRESH_FOR_MS = 5 * 60_000;

/** The pause between readings, in multiples of a reading's duration. Reading takes at most 1% of the time. */
const PAUSE_FACTOR = 100;

/** Limits the thread's heap, which would grow tenfold, because each reading leaves garbage. */
const SMALL_HEAP = { maxYoungGenerationSizeMb: 8 };

export interface StoreFactsApi {
  read(): StoreFacts;
}

/** Reads the facts in a worker. `log` receives failures. */
export function storeFactsInThread(store: StoreAddress, log: (line: string) => void): KnownStoreFacts {
  const file = new URL('../workers/store-facts.ts', import.meta.url);
  const { api, terminate } = workerPool<StoreFactsApi>(file, store, {
    methods: ['read'],
    resourceLimits: SMALL_HEAP,
  });
  return knownStoreFacts({ ...api, stop: terminate }, () => performance.now(), log);
}

/** Reads the facts from any source. `clock` is in milliseconds. */
export function knownStoreFacts(
  source: { read(): Promise<StoreFacts>; stop(): Promise<void> },
  clock: () => number,
  log: (line: string) => void,
): KnownStoreFacts {
  let facts: StoreFacts | null = null;
  let reading: Promise<StoreFacts> | null = null;
  let staleAt = Number.NEGATIVE_INFINITY;

  async function read(): Promise<StoreFacts> {
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
  function refresh(): Promise<StoreFacts> {
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
