import type { RecordData } from '../inventory/inventory.ts';
import { workerProxy } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type {
  FoundPage,
  FoundPrices,
  LowestPricesQuery,
  OfferFilters,
  PackageQuery,
} from './package-repository.ts';

/** Departure days times lengths of stay of a search that takes a few milliseconds at most. */
const NARROW = 7;

/** The lengths of stay that a query without one is assumed to cover. */
const USUAL_STAYS = 4;

/** Whether a query reads so much of the store that no other one should wait for it. */
export function isWide({ firstDay, lastDay, nights }: OfferFilters): boolean {
  return (lastDay - firstDay + 1) * (nights === null ? USUAL_STAYS : 1) > NARROW;
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

/**
 * Runs wide searches in a worker with its own connection: the embedded store is synchronous, and a window of months must
 * not delay everyone's exact dates.
 */
export function wideSearchWorker(store: StoreAddress): { search: WideSearchApi; stop(): Promise<void> } {
  const file = new URL('../workers/wide-search.ts', import.meta.url);
  const { api, terminate } = workerProxy<WideSearchApi>(file, store, { searchFor: {}, lowestPricesFor: {} });
  return { search: api, stop: terminate };
}
