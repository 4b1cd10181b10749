import { setTimeout as sleep } from 'node:timers/promises';

/** Whether work ends within `ms`. An error of it is passed on; what comes later is nobody's. */
export async function endsInTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([work.then(() => true), sleep(ms, false)]);
}

/**
 * Ends this process, after a signal that asked for it. `process.exit` waits for all threads. Where one hangs, in a lock of
 * the store or in a write to the log, the signal itself ends the process: supervisors take that for a proper end too.
 */
export function endProcess(signal: NodeJS.Signals, hangs: boolean): void {
  if (hangs) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  // The first process of a container ignores signals that it does not listen to.
  process.exit(0);
}
