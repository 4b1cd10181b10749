import { setTimeout as sleep } from 'node:timers/promises';

/** Whether work ends within `ms`. Rejects if the work fails in that time; ignores a later failure. */
export async function endsInTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([work.then(() => true), sleep(ms, false)]);
}

/**
 * Ends this process after a signal. `process.exit` would wait for a thread that hangs, so then the signal
 * itself ends the process, which supervisors accept as a regular end.
 */
export function endProcess(signal: NodeJS.Signals, hangs: boolean): void {
  if (hangs) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  // Also after the signal, because a container's first process ignores signals without a listener.
  process.exit(0);
}
