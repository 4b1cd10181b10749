import type { Pence } from '../../domain/money.ts';
import type { Caller } from '../lib/caller.ts';
import { deadlineIn } from '../lib/deadline.ts';
import type { WorkQueue, WorkQueueSettings } from '../lib/work-queue.ts';
import { workerPool } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';

/** A click through to a provider's site. Contains nothing about the visitor. */
export interface SiteVisit {
  itemKey: string;
  price: Pence;
  /** In minutes since the epoch. */
  visitedAt: number;
  /** Whether the click's token proves that a response showed this price. */
  isShown: boolean;
}

/** The outcome of a click. Only a click with a proven price is recorded. */
export type VisitOutcome = 'recorded' | 'unknown package' | 'price not shown';

export interface RecordVisits {
  /** Throws `Overloaded` or `CallerGone`. */
  record(visit: SiteVisit, caller: Caller): Promise<VisitOutcome>;
  /** Null if clicks are not queued. */
  queue: WorkQueue | null;
  stop(): Promise<void>;
}

export interface VisitsWorkerApi {
  record(visit: SiteVisit): Promise<VisitOutcome>;
}

/** Records visits in a worker, so that an import's lock on the store does not delay other requests. */
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

/** Visits that arrive while the thread waits for the store are written together. */
const QUEUE: WorkQueueSettings = {
  name: 'visits',
  concurrency: 100,
  maxWaiting: 500,
  maxWaitingOfClient: 100,
  maxWaitMs: MAX_MS,
};
