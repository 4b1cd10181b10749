import type { Party } from '../../domain/party.ts';
import type { RecordData } from '../inventory/inventory.ts';
import type { WorkQueue, WorkQueueSettings } from '../lib/work-queue/work-queue.ts';
import { AHEAD_OF_THREAD, type Remote, workerProxy } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type {
  FoundPage,
  LowestPrice,
  LowestPrices,
  LowestPricesQuery,
  OfferFilters,
  PackageQuery,
} from './package-repository.ts';
import type { VersionedPositions } from './resort-positions.ts';
import type { SearchCaller } from './search-caller.ts';
import { sizeClass } from './search-cost.ts';
import { isLongWindow } from './search-engine.ts';
import { isWidelyShared } from './shared-places.ts';

/**
 * Whether queries are too large for what all small searches share, by themselves or with their request: the main thread of a
 * synchronous store, or a connection to PostgreSQL. Long windows always are: an estimate does not know how many hotels a
 * block has. Nor does it know how many a place has: one network that keeps asking would make everyone wait for the rest of
 * its searches, each of them small. Names that hundreds of places share always are, too.
 */
export function isForThread(
  queries: readonly OfferFilters[],
  { requestUnits, isHeldBack }: SearchCaller,
): boolean {
  if (queries.length === 0) return false;
  return (
    isHeldBack ||
    sizeClass(requestUnits) !== 'small' ||
    queries.some((query) => isLongWindow(query) || isWidelyShared(query))
  );
}

/**
 * Pages that another thread has found, with their records, the store's version in which it found them, and the
 * milliseconds of the processor that each took.
 */
export interface WideSearchResult {
  version: string;
  ms: number[];
  pages: FoundPage[];
  records: RecordData;
}

/** Lowest prices that another thread has found, with the same. */
export interface WidePrices {
  version: string;
  ms: number;
  prices: PackedPrices;
  isTooWide: boolean;
}

/**
 * Lowest prices as their fields one after another. The main thread receives thousands of them as one piece of memory;
 * as objects they would take milliseconds in which it answers nobody.
 */
type PackedPrices = Float64Array<ArrayBuffer>;

const PACKED_FIELDS = 6;

export function packPrices(prices: LowestPrices): PackedPrices {
  const packed = new Float64Array(prices.length * PACKED_FIELDS);
  let at = 0;
  for (const { day, nights, price, country, region, resort } of prices) {
    packed.set([day, nights, price, country, region, resort], at);
    at += PACKED_FIELDS;
  }
  return packed;
}

/** The prices of a piece of memory. Each is made when it is read. */
export function unpackPrices(packed: PackedPrices): LowestPrices {
  return {
    length: packed.length / PACKED_FIELDS,
    *[Symbol.iterator]() {
      for (let at = 0; at < packed.length; at += PACKED_FIELDS) yield unpackPrice(packed, at);
    },
  };
}

function unpackPrice(packed: PackedPrices, at: number): LowestPrice {
  const field = (index: number) => packed[at + index] ?? 0;
  return {
    day: field(0),
    nights: field(1),
    price: field(2),
    country: field(3),
    region: field(4),
    resort: field(5),
  };
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

/** The threads differ in the size of their searches only. A unit is one of `search-cost.ts`. */
const QUICK: WorkQueueSettings = {
  name: 'quick searches',
  concurrency: 1,
  ahead: AHEAD_OF_THREAD,
  maxWaiting: 200,
  maxWaitMs: 2_000,
  maxStandingWaitMs: 650,
  maxRunMs: 5_000,
  msPerUnit: 0.01,
};
const METHODS = { searchFor: {}, lowestPricesFor: {}, partiesOnSale: {}, resortPositionsFor: {} };
const WIDE: WorkQueueSettings = { ...QUICK, name: 'wide searches', maxWaiting: 50 };

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
  function inThread<T>(
    caller: SearchCaller,
    search: (thread: Remote<WideSearchApi>) => Promise<T>,
  ): Promise<T> {
    const { units, requestUnits } = caller;
    const thread = sizeClass(requestUnits) === 'wide' ? wide : quick;
    return caller.inThread(units, (waiting) => search(thread.callsFor(waiting, units)));
  }
  return {
    api: {
      searchFor: (queries, caller) => inThread(caller, (thread) => thread.searchFor(queries)),
      lowestPricesFor: (query, caller) => inThread(caller, (thread) => thread.lowestPricesFor(query)),
      partiesOnSale: (nowMs) => quick.api.partiesOnSale(nowMs),
      resortPositionsFor: () => quick.api.resortPositionsFor(),
    },
    queues: [quick.queue, wide.queue].filter((queue) => queue !== null),
    async stop() {
      await Promise.all([quick.terminate(), wide.terminate()]);
    },
  };
}
