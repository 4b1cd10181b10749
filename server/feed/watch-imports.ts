import { FEEDS_NOTE } from '../inventory/inventory-notes.ts';
import type { PackageRepository } from '../package-search/package-repository.ts';

/** An import is another process: a look at the store's note so often, in milliseconds, tells of it. */
const LOOK_EVERY = 60_000;

/**
 * Tells a running server of imports that have changed something since it last looked, so that prices are analysed
 * anew. A store that does not answer is asked again the next time.
 */
export function watchImports(
  repository: Pick<PackageRepository, 'readNote'>,
  onImport: () => Promise<void>,
  every: number = LOOK_EVERY,
): { stop(): void } {
  let seen: string | null | undefined;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const latest = await repository.readNote(FEEDS_NOTE);
      const isNew = seen !== undefined && latest !== null && latest !== seen;
      seen = latest;
      if (isNew) await onImport();
    } catch {
      // What is wrong with the store is told by those who need it.
    } finally {
      isLooking = false;
    }
  }

  void look();
  const timer = setInterval(() => void look(), every);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
