import { workerProxy } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { PriceAnalysis } from './analyse-prices.ts';

/** Analyses the prices of packages by their item keys; keys without a package on sale are skipped. */
export interface PriceAnalyses {
  analyse(itemKeys: readonly string[], nowMs: number): Promise<PriceAnalysis[]>;
  stop(): Promise<void>;
}

export interface AnalysisWorkerData {
  store: StoreAddress;
  /** The folder of the departure airports list; airports of one region are comparable. */
  listsDir: string;
  staleAfterDays: number;
}

export interface AnalysisWorkerApi {
  analyse(itemKeys: readonly string[], nowMs: number): PriceAnalysis[];
}

/** Runs analyses in a worker thread with its own connection, so that searches do not wait for them. */
export function priceAnalysesInThread(workerData: AnalysisWorkerData): PriceAnalyses {
  const file = new URL('../workers/price-analysis.ts', import.meta.url);
  const { api, terminate } = workerProxy<AnalysisWorkerApi>(file, workerData, { analyse: {} });
  return { ...api, stop: terminate };
}
