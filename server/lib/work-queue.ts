import { type Caller, CallerGone } from './caller.ts';
import { Overloaded } from './overloaded.ts';

export interface WorkQueueSettings {
  /** The queue's name in the metrics. */
  name: string;
  /** How many tasks may run at the same time. */
  concurrency: number;
  /** How many tasks may wait, in total and for one client. */
  maxWaiting: number;
  maxWaitingOfClient: number;
  /** How long a task may wait. */
  maxWaitMs: number;
}

/** Why a task was rejected: the queue was full, the task waited too long, or its client has disconnected. */
export type Refusal = 'full' | 'late' | 'gone';

export interface WorkQueueStatus {
  waiting: number;
  running: number;
  /** How long the oldest waiting task has waited; 0 if none waits. */
  oldestMs: number;
  refused: Readonly<Record<Refusal, number>>;
}

/** A bounded queue for threads or connections: round-robin by client, and in order for one client. */
export interface WorkQueue {
  readonly name: string;
  /**
   * Queues and runs a task. Rejects with `Overloaded` if the queue is full or the deadline passes, and with
   * `CallerGone` if the client disconnects. A running task's signal is then aborted, but its place is free only
   * once the task ends.
   */
  run<T>(caller: Caller, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
  status(): WorkQueueStatus;
  /** Resolves once no task waits or runs. */
  idle(): Promise<void>;
}

interface Entry {
  since: number;
  start(): void;
}

/** The longest delay that a timer supports. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function workQueue(settings: WorkQueueSettings): WorkQueue {
  const { name, concurrency, maxWaiting, maxWaitingOfClient, maxWaitMs } = settings;
  /** Waiting tasks by client. The next client to serve comes first. */
  const waiting = new Map<string, Entry[]>();
  const refused = { full: 0, late: 0, gone: 0 };
  let waitingCount = 0;
  let running = 0;
  const whenIdle: (() => void)[] = [];

  function startNext(): void {
    // Clients with further tasks come back into the map at its end, and thus into this loop.
    for (const [client, entries] of waiting) {
      if (running >= concurrency) break;
      const entry = entries.shift();
      waiting.delete(client);
      if (entries.length > 0) waiting.set(client, entries);
      waitingCount -= 1;
      entry?.start();
    }
    if (running > 0 || waitingCount > 0) return;
    for (const resolve of whenIdle.splice(0)) resolve();
  }

  function hasRoom(client: string): boolean {
    return waitingCount < maxWaiting && (waiting.get(client)?.length ?? 0) < maxWaitingOfClient;
  }

  /** Removes an entry; returns false if it no longer waits. */
  function remove(client: string, entry: Entry): boolean {
    const entries = waiting.get(client) ?? [];
    const place = entries.indexOf(entry);
    if (place < 0) return false;
    entries.splice(place, 1);
    if (entries.length === 0) waiting.delete(client);
    waitingCount -= 1;
    return true;
  }

  /** Counts a refusal, and returns its error. */
  function refusal(why: Refusal): Error {
    refused[why] += 1;
    return why === 'gone' ? new CallerGone() : new Overloaded(maxWaitMs);
  }

  async function run<T>(caller: Caller, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { client, signal, deadline } = caller;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const ending = new AbortController();
    let timer: NodeJS.Timeout | undefined;

    const entry: Entry = {
      since: performance.now(),
      start() {
        running += 1;
        clearTimeout(timer);
        timer = setTimeout(giveUp, Math.min(MAX_TIMER_MS, deadline.leftMs), 'late').unref();
        task(ending.signal)
          .then(resolve, (error) => reject(ending.signal.aborted ? ending.signal.reason : error))
          .finally(() => {
            running -= 1;
            startNext();
          });
      },
    };

    function giveUp(why: Refusal): void {
      const reason = refusal(why);
      ending.abort(reason);
      if (remove(client, entry)) reject(reason);
    }

    const disconnected = () => giveUp('gone');
    if (signal.aborted) throw refusal('gone');
    if (deadline.hasPassed) throw refusal('late');
    if (running >= concurrency && !hasRoom(client)) throw refusal('full');
    signal.addEventListener('abort', disconnected, { once: true });
    timer = setTimeout(giveUp, Math.min(maxWaitMs, deadline.leftMs), 'late').unref();
    const entries = waiting.get(client) ?? [];
    entries.push(entry);
    waiting.set(client, entries);
    waitingCount += 1;
    startNext();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', disconnected);
    }
  }

  return {
    name,
    run,
    status() {
      const oldest = Math.min(...[...waiting.values()].flatMap(([first]) => first?.since ?? []));
      return {
        waiting: waitingCount,
        running,
        oldestMs: waitingCount === 0 ? 0 : performance.now() - oldest,
        refused: { ...refused },
      };
    },
    idle() {
      if (running === 0 && waitingCount === 0) return Promise.resolve();
      return new Promise((resolve) => whenIdle.push(resolve));
    },
  };
}
