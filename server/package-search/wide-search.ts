import type { RecordData } from '../inventory/inventory.ts';
import type { WorkQueue, WorkQueueSettings } from '../lib/work-queue/work-queue.ts';
import { workerProxy } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type {
  FoundPage,
  FoundPrices,
  LowestPricesQuery,
  OfferFilters,
  PackageQuery,
} from './package-repository.ts';
import type { SearchCaller } from './search-caller.ts';
import { sizeClass } from './search-cost.ts';

/** Departure days times lengths of stay of a search that takes a few milliseconds at most. */
const NARROW = 7;

/** The lengths of stay that a query without one is assumed to cover. */
const USUAL_STAYS = 4;

/** Whether a query reads so much of the store that no other one should wait for it. */
export function isWide({ firstDay, lastDay, nights }: OfferFilters): boolean {
  return (lastDay - firstDay + 1) * (nights === null ? USUAL_STAYS : 1) > NARROW;
}

/** Whether queries are too large for the main thread of a synchronous store, by themselves or with their request. */
export function isForThread(queries: readonly PackageQuery[], { requestUnits }: SearchCaller): boolean {
  return queries.length > 0 && (sizeClass(requestUnits) !== 'small' || queries.some(isWide));
}

/** Pages that another thread has found, with their records, and the store's version in which it found them. */
export interface WideSearchResult {
  version: string;
  pages: FoundPage[];
  records: RecordData;
}

/** Lowest prices that another thread has found, with the store's version in which it found them. */
export interface WidePrices extends FoundPrices {
  version: string;
}

/** What the wide-search worker offers. */
export interface WideSearchApi {
  searchFor(queries: readonly PackageQuery[]): Promise<WideSearchResult>;
  lowestPricesFor(query: LowestPricesQuery): Promise<WidePrices>;
}

/** The same on behalf of a caller. Throws `Overloaded` or `CallerGone`. */
export interface WideSearches {
  searchFor(queries: readonly PackageQuery[], caller: SearchCaller): Promise<WideSearchResult>;
  lowestPricesFor(query: LowestPricesQuery, caller: SearchCaller): Promise<WidePrices>;
}

/** The threads differ in the size of their searches only. A unit is one of `search-cost.ts`. */
const QUICK: WorkQueueSettings = {
  name: 'quick searches',
  concurrency: 1,
  maxWaiting: 200,
  maxWaitMs: 2_000,
  maxRunMs: 5_000,
  msPerUnit: 0.01,
};
const METHODS = { searchFor: {}, lowestPricesFor: {} };
const WIDE: WorkQueueSettings = { ...QUICK, name: 'wide searches', maxWaiting: 50, maxRunMs: 15_000 };

/**
 * Runs searches in two workers with their own connections: the embedded store is synchronous, and a window of weeks
 * must not delay everyone's exact dates, nor a window of years one of weeks.
 */
export function wideSearchWorkers(store: StoreAddress): {
  api: WideSearches;
  queues: readonly WorkQueue[];
  stop(): Promise<void>;
} {
  const file = new URL('../workers/wide-search.ts', import.meta.url);
  const quick = workerProxy<WideSearchApi>(file, store, METHODS, QUICK);
  const wide = workerProxy<WideSearchApi>(file, store, METHODS, WIDE);
  const callsFor = (caller: SearchCaller) =>
    (sizeClass(caller.requestUnits) === 'wide' ? wide : quick).callsFor(caller, caller.units);
  return {
    api: {
      searchFor: (queries, caller) => callsFor(caller).searchFor(queries),
      lowestPricesFor: (query, caller) => callsFor(caller).lowestPricesFor(query),
    },
    queues: [quick.queue, wide.queue].filter((queue) => queue !== null),
    async stop() {
      await Promise.all([quick.terminate(), wide.terminate()]);
    },
  };
}
