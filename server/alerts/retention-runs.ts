import { errorMessage } from '../lib/error-message.ts';
import { type ClockVerdict, clockGuard, type MachineClocks } from '../storage/clock-guard.ts';
import type { AlertStore } from './tables/alert-store.ts';
import { raiseNotice } from './tables/notices.ts';
import { deleteExpiredRecords } from './tables/retention.ts';

const EVERY_MS = 60 * 60 * 1000;

export const LOOK_EVERY_MS = 60 * 1000;

interface RetentionSettings {
  retentionDays: number;
  /** The clock of the alerts, which tests may set. */
  now: () => number;
  clocks: MachineClocks | undefined;
  log: (line: string) => void;
}

/** Deletes expired records once an hour, unless the machine's clock may be wrong. */
export function retentionRuns(store: AlertStore, { retentionDays, now, clocks, log }: RetentionSettings) {
  const check = clockGuard(store.database, clocks);
  let running: Promise<void> = Promise.resolve();
  /** Counted in checks, one a minute, so that a jump of the clock does not matter. */
  let looksUntilDue = 0;
  let isDoubted = false;

  const failed = (error: unknown) => log(`Deleting expired records failed: ${errorMessage(error)}`);

  function tell(verdict: ClockVerdict): void {
    const wasDoubted = isDoubted;
    isDoubted = verdict.kind === 'doubted';
    if (verdict.kind === 'right' || wasDoubted) return;
    const text = doubtText(verdict);
    // Logged here too, because notices raised before the first poll are not logged.
    log(text);
    raiseNotice(store, 'clock', text, now());
  }

  return {
    /** Call every minute: checks the clock, and starts a run if one is due. */
    look(): void {
      looksUntilDue -= 1;
      const isDue = looksUntilDue <= 0;
      try {
        const verdict = check();
        tell(verdict);
        if (verdict.kind === 'doubted' || !isDue) return;
        running = deleteExpiredRecords(store, retentionDays, now()).catch(failed);
      } catch (error) {
        // An unavailable store is reported once an hour.
        if (!isDue) return;
        failed(error);
      }
      looksUntilDue = EVERY_MS / LOOK_EVERY_MS;
    },
    /** Resolves when no clean-up is running. */
    done: () => running,
  };
}

function doubtText({ wall, last }: { wall: number; last: number }): string {
  const [is, was] = [wall, last].map((ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' '));
  return `The clock jumped from ${was} to ${is} UTC. Clean-up is paused until it has been stable for an hour. Check the machine's clock.`;
}
