import { setTimeout as sleep } from 'node:timers/promises';

/** Whether work ends within `ms`. Passes on its error, but ignores one that comes later. */
export async function endsInTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([work.then(() => true), sleep(ms, false)]);
}

/**
 * Ends this process after a signal. `process.exit` waits for all threads; if one hangs, the signal itself
 * ends the process, which supervisors accept as a proper end.
 */
export function endProcess(signal: NodeJS.Signals, hangs: boolean): void {
  if (hangs) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  // The first process of a container ignores signals without a listener.
  process.exit(0);
}
