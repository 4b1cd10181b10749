import { workerProxy } from '../lib/worker-rpc.ts';
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

export interface AnalysisWorkerApi {
  analyse(itemKeys: readonly string[], nowMs: number): PriceAnalysis[];
}

/** Analyses prices in a worker with its own connection, so that no search waits for an analysis. */
export function priceAnalysesInThread(workerData: AnalysisWorkerData): PriceAnalyses {
  const file = new URL('../workers/price-analysis.ts', import.meta.url);
  const { api, terminate } = workerProxy<AnalysisWorkerApi>(file, workerData, { analyse: {} });
  return { ...api, stop: terminate };
}
