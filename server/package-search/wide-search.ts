import { availableParallelism } from 'node:os';
import type { Party } from '../../domain/party.ts';
import type { RecordData } from '../inventory/inventory.ts';
import { INTERNAL_CALLER } from '../lib/caller.ts';
import { type WorkQueue, workQueue } from '../lib/work-queue.ts';
import { workerPool } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type {
  FoundPage,
  FoundPrices,
  LowestPricesQuery,
  OfferFilters,
  PackageQuery,
} from './package-repository.ts';
import type { VersionedPositions } from './resort-positions.ts';
import type { SearchCaller } from './search-caller.ts';
import { isLongWindow } from './search-engine.ts';

/** Requests up to this cost keep the main thread busy for about 5 ms at most. */
const MAX_MAIN_THREAD_UNITS = 100;

/**
 * Whether queries go through the queue: to a thread of the embedded store, or to a connection of their own to PostgreSQL.
 * Long windows always do, because an estimate does not know how many hotels a price block has.
 */
export function isWide(queries: readonly OfferFilters[], { units }: SearchCaller): boolean {
  return queries.length > 0 && (units > MAX_MAIN_THREAD_UNITS || queries.some(isLongWindow));
}

/** What waits for a thread or for a connection. The rest of a request's time is for its search. */
const WAITING = { maxWaiting: 100, maxWaitingOfClient: 25, maxWaitMs: 1_000 };

/** Connections that wide searches may hold; the pool has ten, and the others are for small searches. */
const POSTGRES_CONNECTIONS = 6;

/** The queue in front of the connections to PostgreSQL. */
export function postgresQueue(): WorkQueue {
  return workQueue({ name: 'wide searches', concurrency: POSTGRES_CONNECTIONS, ...WAITING });
}

/** Pages that another thread has found, with their records, and the store's version in which it found them. */
export interface WideSearchResult {
  version: string;
  pages: FoundPage[];
  records: RecordData;
}

/** Lowest prices that another thread has found, with the same version. */
export interface WidePrices extends FoundPrices {
  version: string;
}

/** What the wide-search worker offers. */
export interface WideSearchApi {
  searchFor(queries: readonly PackageQuery[]): Promise<WideSearchResult>;
  lowestPricesFor(query: LowestPricesQuery): Promise<WidePrices>;
  partiesOnSale(nowMs: number): Promise<Party[]>;
  resortPositionsFor(): Promise<VersionedPositions>;
}

/** The same on behalf of a caller. Throws `Overloaded` or `CallerGone`. */
export interface WideSearches {
  searchFor(queries: readonly PackageQuery[], caller: SearchCaller): Promise<WideSearchResult>;
  lowestPricesFor(query: LowestPricesQuery, caller: SearchCaller): Promise<WidePrices>;
  /** These are on behalf of the server itself: all visitors share what is found. */
  partiesOnSale(nowMs: number): Promise<Party[]>;
  resortPositionsFor(): Promise<VersionedPositions>;
}

/** Each has its own connection: the embedded store is synchronous. */
const THREADS = Math.min(4, availableParallelism());

/** Runs wide searches in threads, so that small ones in the main thread do not wait for them. */
export function wideSearchThreads(store: StoreAddress): {
  api: WideSearches;
  queue: WorkQueue | null;
  stop(): Promise<void>;
} {
  const file = new URL('../workers/wide-search.ts', import.meta.url);
  const { callsFor, queue, terminate } = workerPool<WideSearchApi>(file, store, {
    methods: ['searchFor', 'lowestPricesFor', 'partiesOnSale', 'resortPositionsFor'],
    threads: THREADS,
    queue: { name: 'wide searches', concurrency: THREADS, ...WAITING },
  });
  return {
    api: {
      ...callsFor(INTERNAL_CALLER),
      searchFor: (queries, caller) => callsFor(caller).searchFor(queries),
      lowestPricesFor: (query, caller) => callsFor(caller).lowestPricesFor(query),
    },
    queue,
    stop: terminate,
  };
}
