import { askThread } from '../ask-thread.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { FoundPage, PackageQuestion, PackageRepository } from './package-repository.ts';
import { isWide } from './wide-window.ts';

/**
 * The repository, with its wide questions asked in a thread of their own on a connection of its own: the
 * embedded store is synchronous, and a window of months must not hold up everyone's exact dates.
 */
export function wideWindowsInWorker(repository: PackageRepository, store: StoreAddress): PackageRepository {
  const file = new URL('./wide-window-worker.ts', import.meta.url);
  const thread = askThread<PackageQuestion, FoundPage>('wide windows', file, store);
  return {
    ...repository,
    search: (question) => (isWide(question) ? thread.ask(question) : repository.search(question)),
    async close() {
      await thread.stop();
      await repository.close();
    },
  };
}
