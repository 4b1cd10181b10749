import { workerPool } from '../lib/worker-rpc.ts';
import type { StoreAddress } from '../storage/store-address.ts';
import { spawnFeedCommand } from './spawn-feed-command.ts';

const CHECK_EVERY_MS = 10_000;

/** PostgreSQL imports providers side by side; an embedded store has one writer. */
const SIDE_BY_SIDE = { embedded: 1, postgresql: 2 };

export interface ScheduleWorkerApi {
  /** The providers with due work, the earliest first; none unless this server leads. */
  due(): string[];
}

export interface FeedScheduleOptions {
  store: StoreAddress;
  log: (level: 'info' | 'warn', line: string) => void;
  /** For tests: the API of the thread, the import, and how often to check. */
  due?: () => Promise<string[]>;
  run?: typeof runIfDue;
  every?: number;
}

/**
 * Fetches feeds as scheduled. If several servers run, only the one that has a lock in the store fetches them.
 * Each import is a separate process, so that its memory use or a crash cannot harm the server.
 */
export function startFeedSchedule(options: FeedScheduleOptions): { stop(): Promise<void> } {
  const { store, log, run = runIfDue, every = CHECK_EVERY_MS } = options;
  const file = new URL('../workers/feed-schedule.ts', import.meta.url);
  const thread =
    options.due === undefined ? workerPool<ScheduleWorkerApi>(file, store, { methods: ['due'] }) : null;
  const due = options.due ?? (() => thread?.api.due() ?? Promise.resolve([]));
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  let isChecking = false;

  async function work(code: string): Promise<void> {
    try {
      const { exit, said } = await run(code, stopping.signal);
      if (said !== '') log(exit === 0 ? 'info' : 'warn', `Feed of ${code}: ${said.replace(`${code}: `, '')}`);
    } catch (error) {
      if (!stopping.signal.aborted)
        log('warn', `Feed of ${code}: the import did not start: ${String(error)}`);
    } finally {
      running.delete(code);
    }
  }

  async function check(): Promise<void> {
    if (isChecking || stopping.signal.aborted) return;
    isChecking = true;
    try {
      for (const code of await due()) {
        if (stopping.signal.aborted || running.size >= SIDE_BY_SIDE[store.kind]) break;
        if (!running.has(code)) running.set(code, work(code));
      }
    } catch (error) {
      if (!stopping.signal.aborted) log('warn', `The feed schedule could not be read: ${String(error)}`);
    } finally {
      isChecking = false;
    }
  }

  void check();
  const timer = setInterval(() => void check(), every);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(running.values());
      await thread?.terminate();
    },
  };
}

/** The command checks again that the work is due, once it has the store's lease. */
function runIfDue(code: string, signal: AbortSignal): ReturnType<typeof spawnFeedCommand> {
  return spawnFeedCommand(['run', code, '--if-due'], signal);
}
