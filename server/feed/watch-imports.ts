import { FEEDS_NOTE } from '../inventory/inventory-notes.ts';
import type { PackageRepository } from '../package-search/package-repository.ts';

/** Imports run in another process, so the store's note of the last one is polled. */
const POLL_MS = 60_000;

/**
 * Calls `onImport` after an import has changed the store, so that prices are analysed again. Retries at the
 * next interval if the store cannot be read.
 */
export function watchImports(
  repository: Pick<PackageRepository, 'readNote'>,
  onImport: () => Promise<void>,
  every: number = POLL_MS,
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
      // Store failures are logged elsewhere.
    } finally {
      isLooking = false;
    }
  }

  void look();
  const timer = setInterval(() => void look(), every);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
