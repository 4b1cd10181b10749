import type { Party } from '../../../domain/party.ts';
import type { RecordData } from '../../inventory/inventory.ts';
import { INTERNAL_CALLER } from '../../lib/caller.ts';
import { type WorkQueue, workQueue } from '../../lib/work-queue.ts';
import type { WorkerThread } from '../../lib/worker-rpc.ts';
import type {
  FoundPage,
  FoundPrices,
  LowestPricesQuery,
  OfferFilters,
  PackageQuery,
  SearchCaller,
} from '../query/package-repository.ts';
import type { VersionedPositions } from '../query/resort-positions.ts';
import { isLongWindow } from '../query/search-engine.ts';

/** Cheaper requests keep the main thread busy for at most about 5 ms. */
const MAX_MAIN_THREAD_UNITS = 100;

/**
 * Whether queries go through the queue, to a thread of the embedded store or a separate connection to
 * PostgreSQL. Long windows always do: their estimated cost ignores the number of hotels per block.
 */
export function isWide(queries: readonly OfferFilters[], { units }: SearchCaller): boolean {
  return queries.length > 0 && (units > MAX_MAIN_THREAD_UNITS || queries.some(isLongWindow));
}

/** The queue's limits. They leave most of a request's time for the search. */
const WAITING = { maxWaiting: 100, maxWaitingOfClient: 25, maxWaitMs: 1_000 };

/** Connections for wide searches, of the pool's ten; the others are for small searches. */
const POSTGRES_CONNECTIONS = 6;

/** The queue in front of the connections to PostgreSQL. */
export function postgresQueue(): WorkQueue {
  return workQueue({ name: 'wide searches', concurrency: POSTGRES_CONNECTIONS, ...WAITING });
}

/** Pages found by another thread, with their records and the store's version. */
export interface WideSearchResult {
  version: string;
  inventoryVersion: string;
  pages: FoundPage[];
  records: RecordData;
}

/** Lowest prices found by another thread, with the store's version. */
export interface WidePrices extends FoundPrices {
  version: string;
}

export interface WideSearchApi {
  searchFor(queries: readonly PackageQuery[]): Promise<WideSearchResult>;
  lowestPricesFor(query: LowestPricesQuery): Promise<WidePrices>;
  partiesOnSale(nowMs: number): Promise<Party[]>;
  resortPositionsFor(): Promise<VersionedPositions>;
}

/** `WideSearchApi` for a caller, or for the server itself. Throws `Overloaded` or `CallerGone`. */
export interface WideSearches extends Pick<WideSearchApi, 'partiesOnSale' | 'resortPositionsFor'> {
  searchFor(queries: readonly PackageQuery[], caller: SearchCaller): Promise<WideSearchResult>;
  lowestPricesFor(query: LowestPricesQuery, caller: SearchCaller): Promise<WidePrices>;
}

/** Runs wide searches in a thread, so that small ones on the main thread do not wait. */
export function wideSearchesIn(thread: WorkerThread): {
  api: WideSearches;
  queue: WorkQueue | null;
  stop(): Promise<void>;
} {
  const { callsFor, queue, close } = thread.part<WideSearchApi>('wide searches', {
    methods: ['searchFor', 'lowestPricesFor', 'partiesOnSale', 'resortPositionsFor'],
    queue: { name: 'wide searches', concurrency: 1, ...WAITING },
  });
  return {
    api: {
      ...callsFor(INTERNAL_CALLER),
      searchFor: (queries, caller) => callsFor(caller).searchFor(queries),
      lowestPricesFor: (query, caller) => callsFor(caller).lowestPricesFor(query),
    },
    queue,
    stop: close,
  };
}
