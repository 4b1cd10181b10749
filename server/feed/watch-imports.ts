import { FEEDS_NOTE } from '../inventory/inventory-notes.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { PackageRepository } from '../package-search/query/package-repository.ts';

/** Imports run in another process, so the store's note of the last one is polled. */
const POLL_MS = 60_000;

/**
 * Calls `onChange` after an import or a removal has changed the store, so that prices are analysed again. Retries
 * at the next interval if the store cannot be read.
 */
export function watchImports(
  repository: Pick<PackageRepository, 'readNote'>,
  onChange: () => Promise<void>,
  clock: Clock = systemClock,
): { stop(): void } {
  let seen: string | null | undefined;
  let cancel = () => {};
  let isStopped = false;

  async function look(): Promise<void> {
    try {
      const latest = await repository.readNote(FEEDS_NOTE);
      const isNew = seen !== undefined && latest !== seen;
      seen = latest;
      if (isNew) await onChange();
    } catch {
      // Store failures are logged elsewhere.
    }
    if (!isStopped) cancel = clock.after(POLL_MS, () => void look());
  }

  void look();
  return {
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
