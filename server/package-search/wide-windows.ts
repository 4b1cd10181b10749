import type { RecordData } from '../inventory/inventory.ts';
import { askThread } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { FoundPage, PackageQuestion } from './package-repository.ts';

/** What another thread found, with all that its pages name; the version says in which state of the store. */
export interface FoundElsewhere {
  version: string;
  pages: FoundPage[];
  records: RecordData;
}

export type AskWideWindows = (questions: readonly PackageQuestion[]) => Promise<FoundElsewhere>;

/**
 * A thread for wide questions with a connection of its own: the embedded store is synchronous, and a window of
 * months must not hold up everyone's exact dates.
 */
export function wideWindows(store: StoreAddress): { ask: AskWideWindows; stop(): Promise<void> } {
  const file = new URL('../workers/wide-search.ts', import.meta.url);
  const thread = askThread<readonly PackageQuestion[], FoundElsewhere>('wide windows', file, store);
  return { ask: (questions) => thread.ask(questions), stop: () => thread.stop() };
}
