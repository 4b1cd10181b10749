import { askThread } from '../ask-thread.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import type { FoundPage, PackageQuestion, PackageRepository } from './package-repository.ts';

/** Days of departure times lengths of stay that the calling thread may walk itself: a few milliseconds. */
const NARROW = 7;

/** Lengths of stay that a question without one is taken to have. */
const USUAL_STAYS = 4;

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

function isWide({ firstDay, lastDay, nights }: PackageQuestion): boolean {
  return (lastDay - firstDay + 1) * (nights === null ? USUAL_STAYS : 1) > NARROW;
}
