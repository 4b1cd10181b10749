import type { Pence } from '../../domain/money.ts';
import type { Caller } from '../lib/caller.ts';
import { deadlineIn } from '../lib/deadline.ts';
import type { WorkQueue, WorkQueueSettings } from '../lib/work-queue.ts';
import type { WorkerThread } from '../lib/worker-rpc.ts';

/** A click through to a provider's site, or a price check. */
export interface SiteVisit {
  itemKey: string;
  price: Pence;
  /** In minutes since the epoch. */
  visitedAt: number;
  /** Whether the click's token proves that a response showed this price. */
  isShown: boolean;
  /** One of 65,536 groups of clients, too few to identify one. */
  client: number;
  /** Set if this is a price check instead of a click: the provider's price, or null if sold out. */
  checked?: Pence | null;
}

/** What a provider says about a package now: its price without local charges, or null if it is sold out. */
export interface CheckedPrice {
  price: Pence | null;
}

/**
 * The outcome of a click. 'recorded' includes a proven price that is no longer on sale, which does not count;
 * 'over limit' is a click beyond the day's limit.
 */
export type VisitOutcome = 'recorded' | 'over limit' | 'unknown package' | 'price not shown';

export interface RecordVisits {
  /** Throws `Overloaded` or `CallerGone`. */
  record(visit: SiteVisit, caller: Caller): Promise<VisitOutcome>;
  /** Asks the provider for the current price. Null if that stays unknown. Throws as `record` does. */
  check(visit: SiteVisit, caller: Caller): Promise<CheckedPrice | null>;
  /** Null if clicks are not queued. */
  queue: WorkQueue | null;
  stop(): Promise<void>;
}

export interface VisitsWorkerApi {
  record(visit: SiteVisit): Promise<VisitOutcome>;
  check(visit: SiteVisit): Promise<CheckedPrice | null>;
}

/** Records visits and checks prices in a thread. */
export function recordVisitsIn(thread: WorkerThread): RecordVisits {
  const { callsFor, queue, close } = thread.part<VisitsWorkerApi>('visits', {
    methods: ['record', 'check'],
    queue: QUEUE,
    runsToEnd: true,
  });
  const within = (ms: number, caller: Caller) => callsFor({ ...caller, deadline: deadlineIn(ms) });
  return {
    record: (visit, caller) => within(MAX_MS, caller).record(visit),
    check: (visit, caller) => within(MAX_CHECK_MS, caller).check(visit),
    queue,
    stop: close,
  };
}

/** How long a visit may wait for the store's lock. */
const MAX_MS = 2_000;

/** How long a price check may wait; a provider may then take the rest of 1.5 s. */
const MAX_CHECK_MS = 500;

/** Visits that arrive while the thread waits for the store are written together. */
const QUEUE: WorkQueueSettings = {
  name: 'visits',
  concurrency: 100,
  maxWaiting: 500,
  maxWaitingOfClient: 100,
  maxWaitMs: MAX_MS,
};
