import type { PriceAnalysisResponse } from '../../domain/price-analysis-response.ts';
import type { PriceHistoryResponse } from '../../domain/price-history-response.ts';
import { type Caller, INTERNAL_CALLER } from '../lib/caller.ts';
import type { WorkQueue, WorkQueueSettings } from '../lib/work-queue.ts';
import type { WorkerThread } from '../lib/worker-rpc.ts';
import { analyseInPieces } from './analyse-in-pieces.ts';
import type { AnalysedKeys } from './analyse-prices.ts';

/** Analyses packages' prices by ItemKey. Every call may throw `Overloaded` or `CallerGone`. */
export interface PriceAnalyses {
  /** Skips keys without a package on sale. */
  analyse(itemKeys: readonly string[], nowMs: number, caller?: Caller): Promise<PriceAnalysisResponse[]>;
  /** Null if the package is not on sale. */
  history(itemKey: string, nowMs: number, caller?: Caller): Promise<PriceHistoryResponse | null>;
  /** Null if calls are not queued. */
  queue: WorkQueue | null;
  stop(): Promise<void>;
}

export interface AnalysisWorkerApi {
  /** Analyses at least one key, and as many as time allows. `state` changes with every import. */
  analyse(itemKeys: readonly string[], nowMs: number): Promise<AnalysedKeys & { state: string }>;
  history(itemKey: string, nowMs: number): Promise<PriceHistoryResponse | null>;
}

/** Runs analyses in a thread, so that they do not delay searches. */
export function priceAnalysesIn(thread: WorkerThread): PriceAnalyses {
  const { callsFor, queue, close } = thread.part<AnalysisWorkerApi>('price analyses', {
    methods: ['analyse', 'history'],
    queue: QUEUE,
  });
  return {
    analyse: (itemKeys, nowMs, caller = INTERNAL_CALLER) =>
      analyseInPieces(itemKeys, (keys) => callsFor(caller).analyse(keys, nowMs)),
    history: (itemKey, nowMs, caller = INTERNAL_CALLER) => callsFor(caller).history(itemKey, nowMs),
    queue,
    stop: close,
  };
}

const QUEUE: WorkQueueSettings = {
  name: 'price analyses',
  concurrency: 1,
  maxWaiting: 100,
  maxWaitingOfClient: 25,
  maxWaitMs: 2_000,
};
