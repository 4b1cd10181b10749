import type { RecordData } from '../inventory/inventory.ts';
import { workerProxy } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { FoundPage, PackageQuestion } from './package-repository.ts';

/** What another thread found, with all that its pages name; the version says in which state of the store. */
export interface FoundElsewhere {
  version: string;
  pages: FoundPage[];
  records: RecordData;
}

export interface WideSearchApi {
  findFor(questions: readonly PackageQuestion[]): Promise<FoundElsewhere>;
}

export type AskWideWindows = WideSearchApi['findFor'];

/**
 * Searches wide windows in a worker with its own connection: the embedded store is synchronous, and a window of
 * months must not delay searches for exact dates.
 */
export function wideWindows(store: StoreAddress): { ask: AskWideWindows; stop(): Promise<void> } {
  const file = new URL('../workers/wide-search.ts', import.meta.url);
  const { api, terminate } = workerProxy<WideSearchApi>(file, store, { findFor: {} });
  return { ask: api.findFor, stop: terminate };
}
