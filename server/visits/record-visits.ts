import type { Pence } from '../../domain/money.ts';
import type { Caller } from '../lib/caller.ts';
import { deadlineIn } from '../lib/deadline.ts';
import type { WorkQueue, WorkQueueSettings } from '../lib/work-queue.ts';
import { workerPool } from '../lib/worker-rpc.ts';
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
  /** Throws `Overloaded` or `CallerGone`. */
  record(visit: SiteVisit, caller: Caller): Promise<VisitOutcome>;
  /** Null: visits do not wait. */
  queue: WorkQueue | null;
  stop(): Promise<void>;
}

export interface VisitsWorkerApi {
  record(visit: SiteVisit): Promise<VisitOutcome>;
}

/** Records visits in a worker, so that an import which holds the store's lock blocks no request. */
export function recordVisitsInThread(store: StoreAddress): RecordVisits {
  const file = new URL('../workers/visits.ts', import.meta.url);
  const { callsFor, queue, terminate } = workerPool<VisitsWorkerApi>(file, store, {
    methods: ['record'],
    queue: QUEUE,
    runsToEnd: true,
  });
  return {
    record: (visit, caller) => callsFor({ ...caller, deadline: deadlineIn(MAX_MS) }).record(visit),
    queue,
    stop: terminate,
  };
}

/** How long a visit may wait for the store's lock. */
const MAX_MS = 2_000;

/** The thread writes together what it is given while it waits for the store. */
const QUEUE: WorkQueueSettings = {
  name: 'visits',
  concurrency: 100,
  maxWaiting: 500,
  maxWaitingOfClient: 100,
  maxWaitMs: MAX_MS,
};
