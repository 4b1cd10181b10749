import type { Clock } from '../lib/clock.ts';

/** When to retry after another server's refresh. */
const TRY_AGAIN_MS = 60_000;

/** `elsewhere`: another server is refreshing, and may have started before the latest import. */
export type RefreshRun = 'done' | 'elsewhere';

export interface RefreshRuns {
  /** Requests a refresh that includes everything in the store now. */
  request(): void;
  stop(): void;
}

/**
 * Runs refreshes one after another. All requests during a run share the next one, because the current run may
 * have read the store too early. `refresh` never rejects.
 */
export function refreshRuns(refresh: () => Promise<RefreshRun>, clock: Clock): RefreshRuns {
  let isRunning = false;
  let isAsked = false;
  let hasStopped = false;
  let stopWaiting = () => {};

  async function runAll(): Promise<void> {
    isRunning = true;
    while (isAsked && !hasStopped) {
      isAsked = false;
      stopWaiting();
      const run = await refresh();
      if (run === 'elsewhere' && !hasStopped) stopWaiting = clock.after(TRY_AGAIN_MS, request);
    }
    isRunning = false;
  }

  function request(): void {
    isAsked = true;
    if (!isRunning) void runAll();
  }

  return {
    request,
    stop() {
      hasStopped = true;
      stopWaiting();
    },
  };
}
