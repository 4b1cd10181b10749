import type { Pence } from '../../domain/money.ts';
import { MAX_QUEUE_MS, workerProxy } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';

/** A click through to a provider's site: the package and its displayed price. Nothing about the visitor. */
export interface SiteVisit {
  itemKey: string;
  price: Pence;
  /** Minutes since the epoch. */
  visitedAt: number;
  /** Whether its token proves that an answer showed this price. */
  isShown: boolean;
}

/** What became of a click-through. Only one with a price that was shown is recorded. */
export type VisitOutcome = 'recorded' | 'unknown package' | 'price not shown';

/** Records click-throughs. */
export interface RecordVisits {
  record(visit: SiteVisit): Promise<VisitOutcome>;
  stop(): Promise<void>;
}

export interface VisitsWorkerApi {
  record(visit: SiteVisit): VisitOutcome;
}

/** Records visits in a worker, so that an import which holds the store's lock blocks no request. */
export function recordVisitsInThread(store: StoreAddress): RecordVisits {
  const file = new URL('../workers/visits.ts', import.meta.url);
  const { api, terminate } = workerProxy<VisitsWorkerApi>(file, store, {
    record: { maxQueueMs: MAX_QUEUE_MS },
  });
  return { ...api, stop: terminate };
}
