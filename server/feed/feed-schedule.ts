import { type Clock, systemClock } from '../lib/clock.ts';
import { EXIT } from './exit-codes.ts';
import { retryAfterMs } from './next-work.ts';
import { spawnFeedCommand } from './spawn-feed-command.ts';

const CHECK_EVERY_MS = 10_000;

/** Most are downloading or waiting: `whileWriting` limits how many import at the same time. */
const MAX_RUNNING = 4;

export interface ScheduleWorkerApi {
  /** The providers with due work, the earliest first; none unless this server leads. */
  due(): Promise<string[]>;
}

export interface FeedScheduleOptions {
  due: ScheduleWorkerApi['due'];
  log: (level: 'info' | 'warn', line: string) => void;
  clock?: Clock;
  /** For tests: the import. */
  run?: typeof runIfDue;
}

/**
 * Fetches feeds as scheduled. If several servers run, only the one that has a lock in the store fetches them.
 * Each import is a separate process, so that its memory use or a crash cannot harm the server.
 */
export function startFeedSchedule(options: FeedScheduleOptions): { stop(): Promise<void> } {
  const { due, log, clock = systemClock, run = runIfDue } = options;
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  /** Providers whose work failed and is still due, because a full disk or a lock kept the failure from the store. */
  const failing = new Map<string, { failures: number; retryAt: number }>();
  let cancelCheck = () => {};

  async function work(code: string): Promise<void> {
    let isDone = false;
    try {
      const { exit, said } = await run(code, stopping.signal);
      isDone = exit === EXIT.done || exit === EXIT.held;
      if (said !== '')
        log(exit === EXIT.done ? 'info' : 'warn', `Feed of ${code}: ${said.replace(`${code}: `, '')}`);
    } catch (error) {
      if (!stopping.signal.aborted)
        log('warn', `Feed of ${code}: the import did not start: ${String(error)}`);
    } finally {
      running.delete(code);
      const failures = (failing.get(code)?.failures ?? 0) + 1;
      if (isDone) failing.delete(code);
      else failing.set(code, { failures, retryAt: clock.now() + retryAfterMs(failures) });
    }
  }

  async function check(): Promise<void> {
    try {
      const codes = await due();
      for (const code of failing.keys()) {
        if (!codes.includes(code) && !running.has(code)) failing.delete(code);
      }
      for (const code of codes) {
        if (stopping.signal.aborted || running.size >= MAX_RUNNING) break;
        const { retryAt = clock.now() } = failing.get(code) ?? {};
        if (!running.has(code) && retryAt <= clock.now()) running.set(code, work(code));
      }
    } catch (error) {
      if (!stopping.signal.aborted) log('warn', `The feed schedule could not be read: ${String(error)}`);
    }
    if (!stopping.signal.aborted) cancelCheck = clock.after(CHECK_EVERY_MS, () => void check());
  }

  void check();
  return {
    async stop() {
      stopping.abort();
      cancelCheck();
      await Promise.all(running.values());
    },
  };
}

/** The command checks again that the work is due, once it has the store's lease. */
function runIfDue(code: string, signal: AbortSignal): ReturnType<typeof spawnFeedCommand> {
  return spawnFeedCommand(['run', code, '--if-due'], signal);
}
