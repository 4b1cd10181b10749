import { basename } from 'node:path';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { type Caller, CallerGone } from './caller.ts';
import { isStoreUnavailable, StoreUnavailable } from './store-unavailable.ts';
import { ThreadEnded } from './thread-ended.ts';
import { type WorkQueue, type WorkQueueSettings, workQueue } from './work-queue.ts';

type Methods<Api> = { [M in keyof Api]: (...args: never[]) => unknown };

/** A worker's API for the main thread: every method returns a promise. */
export type Remote<Api extends Methods<Api>> = {
  [M in keyof Api]: (...args: Parameters<Api[M]>) => Promise<Awaited<ReturnType<Api[M]>>>;
};

/** The API in the worker itself: a method may return its result directly. */
type Served<Api extends Methods<Api>> = {
  [M in keyof Api]: (
    ...args: Parameters<Api[M]>
  ) => Awaited<ReturnType<Api[M]>> | Promise<Awaited<ReturnType<Api[M]>>>;
};

interface Call {
  id: number;
  /** Null asks the thread to close. */
  method: string | null;
  args: readonly unknown[];
  /** One of the states below. Null: the call cannot be cancelled. */
  state: SharedArrayBuffer | null;
}

const WAITING = 0;
const BEGUN = 1;
const CANCELLED = 2;

type Reply = { id: number } & Outcome;

type Outcome = { result: unknown } | { failure: string; isUnavailable: boolean };

export interface WorkerPoolOptions<Api> {
  methods: readonly (keyof Api & string)[];
  /** Queues calls before they are sent to a thread. Omitted: calls are sent immediately. */
  queue?: WorkQueueSettings;
  /** The number of threads, 1 by default. */
  threads?: number;
  /**
   * If true, a started call runs to its end even if its caller has gone, because its thread serves other
   * calls too. Otherwise it is cancelled (`throwIfCancelled`), and its thread runs one call at a time.
   */
  runsToEnd?: boolean;
  /** Limits of each thread's heap. */
  resourceLimits?: ResourceLimits;
}

export interface WorkerPool<Api extends Methods<Api>> {
  /** Calls the API without going through the queue. */
  api: Remote<Api>;
  /** Calls the API through the queue, if there is one. */
  callsFor(caller: Caller): Remote<Api>;
  /** Null if there is no queue. */
  queue: WorkQueue | null;
  /** Waits for pending calls, then ends the threads. */
  close(): Promise<void>;
  /** Ends the threads and rejects pending and later calls. */
  terminate(): Promise<void>;
  /** Ends the threads, which frees their memory. The next call starts a new thread. */
  endThreads(): Promise<void>;
}

/** Limits the memory for young objects. On a large machine, Node would use 128 MB per thread. */
const YOUNG_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 48 };

/**
 * Calls the API that the worker in `file` serves with `serveWorker`. Threads start with the first call, and
 * keep the process alive only during calls. If a thread fails, its calls reject with `ThreadEnded`, and the
 * next call starts another.
 */
export function workerPool<Api extends Methods<Api>>(
  file: URL,
  workerData: unknown,
  options: WorkerPoolOptions<Api>,
): WorkerPool<Api> {
  const { methods, threads: size = 1, runsToEnd = false, resourceLimits = YOUNG_HEAP } = options;
  const start = () => new Worker(file, { workerData, resourceLimits });
  const threads = Array.from({ length: size }, () => lazyThread(basename(file.pathname, '.ts'), start));
  const queue = options.queue === undefined ? null : workQueue(options.queue);

  function send(method: string, args: readonly unknown[], signal: AbortSignal | null): Promise<unknown> {
    const idlest = threads.reduce((best, thread) => (thread.pending < best.pending ? thread : best));
    return idlest.send(method, args, signal, runsToEnd);
  }

  function remote(call: (method: string, args: readonly unknown[]) => Promise<unknown>): Remote<Api> {
    const calls = methods.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]);
    return Object.fromEntries(calls) as Remote<Api>;
  }

  const api = remote((method, args) => send(method, args, null));

  return {
    api,
    callsFor: (caller) =>
      queue === null
        ? api
        : remote((method, args) => queue.run(caller, (signal) => send(method, args, signal))),
    queue,
    async close() {
      await queue?.idle();
      await Promise.all(threads.map((thread) => thread.close()));
    },
    async terminate() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
    async endThreads() {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

/** A cancelled call that runs longer than this ends its thread. */
const MAX_CANCEL_MS = 5_000;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

function lazyThread(name: string, start: () => Worker) {
  const pending = new Map<number, Pending>();
  let running: Worker | null = null;
  let isTerminated = false;
  /** Whether the thread has ever replied. Starting it may take longer than a caller waits. */
  let hasReplied = false;
  let lastId = 0;

  function startThread(): Worker {
    let worker: Worker;
    try {
      worker = start();
    } catch (cause) {
      throw new ThreadEnded(`Worker ${name} could not start`, { cause });
    }
    const ended = (error: Error) => {
      if (running !== worker) return;
      running = null;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    hasReplied = false;
    worker.on('message', (reply: Reply) => {
      hasReplied = true;
      const call = forget(reply.id);
      if ('result' in reply) call?.resolve(reply.result);
      else call?.reject(failureOf(reply));
    });
    worker.on('error', (cause) => ended(new ThreadEnded(`Worker ${name} failed`, { cause })));
    worker.on('exit', () => ended(new ThreadEnded(`Worker ${name} stopped`)));
    return worker;
  }

  function forget(id: number): Pending | undefined {
    const call = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) running?.unref();
    return call;
  }

  function post(call: Call): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (isTerminated) throw new ThreadEnded(`Worker ${name} stopped`);
    running ??= startThread();
    running.ref();
    pending.set(call.id, { resolve, reject });
    try {
      running.postMessage(call);
    } catch (cause) {
      forget(call.id)?.reject(new Error(`A call to worker ${name} could not be sent`, { cause }));
    }
    return promise;
  }

  return {
    get pending() {
      return pending.size;
    },
    async send(
      method: string,
      args: readonly unknown[],
      signal: AbortSignal | null,
      runsToEnd: boolean,
    ): Promise<unknown> {
      const id = ++lastId;
      if (signal === null) return post({ id, method, args, state: null });
      const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      let timer: NodeJS.Timeout | undefined;
      const cancel = () => {
        if (runsToEnd && !hasReplied) return;
        const isUnbegun = Atomics.compareExchange(state, 0, WAITING, CANCELLED) === WAITING;
        if (isUnbegun) forget(id)?.reject(signal.reason);
        else if (!runsToEnd) {
          Atomics.store(state, 0, CANCELLED);
          timer = setTimeout(() => void running?.terminate(), MAX_CANCEL_MS).unref();
        }
      };
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return await post({ id, method, args, state: state.buffer });
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
      }
    },
    async close() {
      if (running !== null) await post({ id: ++lastId, method: null, args: [], state: null }).catch(() => {});
      await this.terminate();
    },
    async terminate() {
      isTerminated = true;
      await this.end();
    },
    async end() {
      await running?.terminate();
    },
  };
}

/** The state of the call that this thread is running. */
let currentState: Int32Array | null = null;

/** Throws if the current call was cancelled. A long call checks this between two steps. */
export function throwIfCancelled(): void {
  if (currentState !== null && Atomics.load(currentState, 0) === CANCELLED) throw new CallerGone();
}

/**
 * Serves an API in a worker. `openApi` runs for each call, so that the API recovers once the store is
 * available again. An error rejects only its own call.
 */
export function serveWorker<Api extends Methods<Api>>(
  openApi: () => Served<Api>,
  close: () => unknown = () => {},
): void {
  async function serve(call: Call): Promise<void> {
    const { id } = call;
    const state = call.state && new Int32Array(call.state);
    // The call was cancelled before it began, and its caller already knows.
    if (state !== null && Atomics.compareExchange(state, 0, WAITING, BEGUN) !== WAITING) return;
    currentState = state;
    parentPort?.postMessage({ id, ...(await outcomeOf(call)) } satisfies Reply);
  }

  async function outcomeOf({ method, args }: Call): Promise<Outcome> {
    try {
      if (method === null) return { result: await close() };
      // Safe, because both ends use the same Api type.
      const api = openApi() as Record<string, (...args: readonly unknown[]) => unknown>;
      return { result: await api[method]?.(...args) };
    } catch (error) {
      return { failure: String(error), isUnavailable: isStoreUnavailable(error) };
    }
  }

  parentPort?.on('message', (call: Call) => void serve(call));
}

/** Restores a StoreUnavailable, because only an error's message is sent between threads. */
function failureOf({ failure, isUnavailable }: { failure: string; isUnavailable: boolean }): Error {
  const error = new Error(failure);
  return isUnavailable ? new StoreUnavailable({ cause: error }) : error;
}
