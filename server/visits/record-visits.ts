import type { Pence } from '../../domain/money.ts';
import { askThread } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';

/** A click through to a provider's site: which package, and what its card said that it cost. Nothing of who. */
export interface SiteVisit {
  itemKey: string;
  price: Pence;
  /** Minutes since the epoch. */
  visitedAt: number;
}

/** Records click-throughs; resolves to whether the package is one of ours. */
export interface RecordVisits {
  record(visit: SiteVisit): Promise<boolean>;
  stop(): Promise<void>;
}

/** Records in a thread of its own: a load that holds the store's lock must hold up no request. */
export function recordVisitsInThread(store: StoreAddress): RecordVisits {
  const file = new URL('../workers/visits.ts', import.meta.url);
  const thread = askThread<SiteVisit, boolean>('click-throughs', file, store);
  return { record: (visit) => thread.ask(visit), stop: () => thread.stop() };
}
