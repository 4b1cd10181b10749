import { askThread } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { PriceAnalysis } from './analyse-prices.ts';

/** Analyses the prices of packages by their item keys; a key of nothing on sale is left out. */
export interface PriceAnalyses {
  analyse(itemKeys: readonly string[], nowMs: number): Promise<PriceAnalysis[]>;
  stop(): Promise<void>;
}

export interface AnalysisWorkerData {
  store: StoreAddress;
  /** Where the list of departure airports is: its regions say which airports are near each other. */
  listsDir: string;
}

export interface AnalysisQuestion {
  itemKeys: readonly string[];
  nowMs: number;
}

/** Analyses in a thread of their own, on a connection of its own: nobody's search waits for one. */
export function priceAnalysesInThread(workerData: AnalysisWorkerData): PriceAnalyses {
  const file = new URL('../workers/price-analysis.ts', import.meta.url);
  const thread = askThread<AnalysisQuestion, PriceAnalysis[]>('price analyses', file, workerData);
  return {
    analyse: (itemKeys, nowMs) => thread.ask({ itemKeys, nowMs }),
    stop: () => thread.stop(),
  };
}
