import { isStoreUnavailable, StoreUnavailable } from '../../lib/store-unavailable.ts';
import { isPlannedTooEarly } from '../postgres/failure.ts';
import type { ReadGuard } from '../postgres/read-pool.ts';
import type { UnreachableDays } from '../unreachable-days.ts';
import { concludePrepared } from './conclude-prepared.ts';
import { watchWorkers } from './watch-workers.ts';
import { wholeCommits } from './whole-commits.ts';

export interface GuardOptions {
  url: string;
  /** Receives the days that cannot be read. Null if no other thread reads. */
  days: UnreachableDays | null;
  /** The name of the note that every import changes. */
  versionNote: string;
  /** Fails all running work, some of which waits for an unresponsive worker. */
  abandon(): void;
}

/** Watches the workers. Rejects reads of unreachable rows, and retries reads that fail for a passing reason. */
export function guardReads({ url, days, versionNote, abandon }: GuardOptions): ReadGuard {
  const workers = watchWorkers(url, days, abandon);
  const concluding = concludePrepared(url);
  return {
    require(rows) {
      const { silentFor } = workers;
      if (silentFor.size === 0 || rows === 'none') return;
      if (rows === 'all' || rows.some((value) => silentFor.has(value))) throw new StoreUnavailable();
    },
    async run(read) {
      for (let isReplanned = false; ; ) {
        const { losses } = workers;
        try {
          return await read();
        } catch (error) {
          // Retries work that was abandoned because of another worker, or planned while its table was being
          // distributed.
          const isAbandoned = isStoreUnavailable(error) && workers.losses !== losses;
          const isPlanned: boolean = !isReplanned && error instanceof Error && isPlannedTooEarly(error.cause);
          if (!isAbandoned && !isPlanned) throw error;
          isReplanned ||= isPlanned;
        }
      }
    },
    inSnapshot: wholeCommits(workers, versionNote),
    stop() {
      concluding.stop();
      workers.stop();
    },
  };
}
