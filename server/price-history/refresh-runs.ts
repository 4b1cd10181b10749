import type { Clock } from '../lib/clock.ts';

/** Milliseconds after which a refresh is tried again that another server was doing. */
const TRY_AGAIN_MS = 60_000;

/** `elsewhere`: another server is refreshing, and may have begun before the latest import. */
export type RefreshRun = 'done' | 'elsewhere';

export interface RefreshRuns {
  /** Asks for a refresh that sees what is in the store now. */
  ask(): void;
  stop(): void;
}

/**
 * Runs refreshes one after the other. One that is asked for while another runs follows it, once for all who have asked:
 * the one that runs may have read the store before the import that it is about. `refresh` never rejects.
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
      if (run === 'elsewhere' && !hasStopped) stopWaiting = clock.after(TRY_AGAIN_MS, ask);
    }
    isRunning = false;
  }

  function ask(): void {
    isAsked = true;
    if (!isRunning) void runAll();
  }

  return {
    ask,
    stop() {
      hasStopped = true;
      stopWaiting();
    },
  };
}
