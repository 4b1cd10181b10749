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

/**
 * Returns a function to call every minute: it checks the clock, and deletes expired records once an hour, unless
 * the clock may be wrong.
 */
export function retentionRuns(store: AlertStore, { retentionDays, now, clocks, log }: RetentionSettings) {
  const check = clockGuard(store.database, clocks);
  /** Counted in checks, one a minute, so that a jump of the clock does not matter. */
  let looksUntilDue = 0;
  let isDoubted = false;

  async function notifyOnce(verdict: ClockVerdict): Promise<void> {
    const wasDoubted = isDoubted;
    isDoubted = verdict.kind === 'doubted';
    if (verdict.kind === 'right' || wasDoubted) return;
    const text = doubtText(verdict);
    // Logged here too, because notices raised before the first poll are not logged.
    log(text);
    await raiseNotice(store, 'clock', text, now());
  }

  return async (): Promise<void> => {
    looksUntilDue -= 1;
    const isDue = looksUntilDue <= 0;
    try {
      const verdict = await check();
      await notifyOnce(verdict);
      if (verdict.kind === 'doubted' || !isDue) return;
      looksUntilDue = EVERY_MS / LOOK_EVERY_MS;
      await deleteExpiredRecords(store, retentionDays, now());
    } catch (error) {
      // An unavailable store is reported once an hour.
      if (!isDue) return;
      looksUntilDue = EVERY_MS / LOOK_EVERY_MS;
      throw error;
    }
  };
}

function doubtText({ wall, last }: { wall: number; last: number }): string {
  const [is, was] = [wall, last].map((ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' '));
  return `The clock jumped from ${was} to ${is} UTC. Clean-up is paused until it has been stable for an hour. Check the machine's clock.`;
}
