import { AsyncLocalStorage } from 'node:async_hooks';
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

interface CallOfPart {
  part: string;
  /** Null asks the thread to close the part. */
  method: string | null;
  args: readonly unknown[];
}

interface Call extends CallOfPart {
  id: number;
  /** One of the states below. Null: the call cannot be cancelled. */
  state: SharedArrayBuffer | null;
}

const WAITING = 0;
const BEGUN = 1;
const CANCELLED = 2;

type Reply = { id: number } & Outcome;

type Outcome = { result: unknown } | { failure: string; isUnavailable: boolean };

export interface WorkerPartOptions<Api> {
  methods: readonly (keyof Api & string)[];
  /** Queues calls before they are sent to the thread. Omitted: calls are sent immediately. */
  queue?: WorkQueueSettings;
  /** If true, a call that has begun runs to its end even if its caller no longer waits. Otherwise it is cancelled (`throwIfCancelled`). */
  runsToEnd?: boolean;
}

/** One of the APIs that a thread serves. */
export interface WorkerPart<Api extends Methods<Api>> {
  /** Calls the API without going through the queue. */
  api: Remote<Api>;
  /** Calls the API through the queue, if there is one. */
  callsFor(caller: Caller): Remote<Api>;
  /** Null if there is no queue. */
  queue: WorkQueue | null;
  /** Waits for queued calls, then closes the part. */
  close(): Promise<void>;
}

export interface WorkerThread {
  part<Api extends Methods<Api>>(name: string, options: WorkerPartOptions<Api>): WorkerPart<Api>;
  /** Ends the thread and rejects pending and later calls. */
  terminate(): Promise<void>;
  /** Ends the thread, which frees its memory. The next call starts a new one. */
  end(): Promise<void>;
}

/** Limits the memory for young objects. On a large machine, Node would use 128 MB per thread. */
const YOUNG_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 32 };

/** A cancelled call that runs longer than this ends its thread. */
const MAX_CANCEL_MS = 5_000;

/**
 * A thread that runs `file`, which serves its parts with `serveWorker`. It starts with the first call, and keeps the
 * process alive only during calls. If it fails, its calls reject with `ThreadEnded`, and the next call starts another.
 */
export function workerThread(
  file: URL,
  workerData: unknown,
  resourceLimits: ResourceLimits = YOUNG_HEAP,
): WorkerThread {
  const name = basename(file.pathname, '.ts');
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let running: Worker | null = null;
  let isTerminated = false;
  /** Whether the thread has ever replied. Starting it may take longer than a caller waits. */
  let hasReplied = false;
  let lastId = 0;

  function start(): Worker {
    const worker = newWorker();
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

  function newWorker(): Worker {
    try {
      return new Worker(file, { workerData, resourceLimits });
    } catch (cause) {
      throw new ThreadEnded(`Worker ${name} could not start`, { cause });
    }
  }

  function forget(id: number): PromiseWithResolvers<unknown> | undefined {
    const call = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) running?.unref();
    return call;
  }

  async function post(call: Call): Promise<unknown> {
    if (isTerminated) throw new ThreadEnded(`Worker ${name} stopped`);
    running ??= start();
    running.ref();
    const outcome = Promise.withResolvers<unknown>();
    pending.set(call.id, outcome);
    try {
      running.postMessage(call);
    } catch (cause) {
      forget(call.id)?.reject(new Error(`A call to worker ${name} could not be sent`, { cause }));
    }
    return outcome.promise;
  }

  async function send(call: CallOfPart, signal: AbortSignal | null, runsToEnd: boolean): Promise<unknown> {
    const id = ++lastId;
    if (signal === null) return post({ ...call, id, state: null });
    const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    let timer: NodeJS.Timeout | undefined;
    const cancel = () => {
      if (runsToEnd && !hasReplied) return;
      const isUnbegun = Atomics.compareExchange(state, 0, WAITING, CANCELLED) === WAITING;
      if (isUnbegun || runsToEnd) forget(id)?.reject(signal.reason);
      else {
        Atomics.store(state, 0, CANCELLED);
        timer = setTimeout(() => void running?.terminate(), MAX_CANCEL_MS).unref();
      }
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await post({ ...call, id, state: state.buffer });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  return {
    part<Api extends Methods<Api>>(
      part: string,
      { methods, queue: settings, runsToEnd = false }: WorkerPartOptions<Api>,
    ): WorkerPart<Api> {
      const queue = settings === undefined ? null : workQueue(settings);
      /** The API, each call of which is sent by `by` with its signal. */
      const remote = (by: (call: (signal: AbortSignal | null) => Promise<unknown>) => Promise<unknown>) =>
        Object.fromEntries(
          methods.map((method) => [
            method,
            (...args: readonly unknown[]) => by((signal) => send({ part, method, args }, signal, runsToEnd)),
          ]),
        ) as unknown as Remote<Api>;
      const api = remote((call) => call(null));
      return {
        api,
        callsFor: (caller) => (queue === null ? api : remote((call) => queue.run(caller, call))),
        queue,
        async close() {
          await queue?.idle();
          if (running === null || isTerminated) return;
          await send({ part, method: null, args: [] }, null, true).catch(() => {});
        },
      };
    },
    async terminate() {
      isTerminated = true;
      await running?.terminate();
    },
    async end() {
      await running?.terminate();
    },
  };
}

/** The state of the call that the running code belongs to. */
const currentState = new AsyncLocalStorage<Int32Array | null>();

/** Throws if the current call was cancelled. A long call checks this between two steps. */
export function throwIfCancelled(): void {
  const state = currentState.getStore() ?? null;
  if (state !== null && Atomics.load(state, 0) === CANCELLED) throw new CallerGone();
}

/** One API in its worker. */
export interface ServedPart {
  /** Runs for each call, so that the API recovers once the store is available again. */
  open(): Promise<object>;
  /** Runs only if the part was opened. */
  close?(): unknown;
}

/** Serves APIs in a worker, each under its name. An error rejects only its own call. */
export function serveWorker(parts: Readonly<Record<string, ServedPart>>): void {
  const opened = new Set<string>();

  async function serve(call: Call): Promise<void> {
    const { id } = call;
    const state = call.state && new Int32Array(call.state);
    // The call was cancelled before it began, and its caller already knows.
    if (state !== null && Atomics.compareExchange(state, 0, WAITING, BEGUN) !== WAITING) return;
    const outcome = await currentState.run(state, () => outcomeOf(call));
    parentPort?.postMessage({ id, ...outcome } satisfies Reply);
  }

  async function outcomeOf({ part, method, args }: Call): Promise<Outcome> {
    try {
      if (method === null) return { result: opened.has(part) ? await parts[part]?.close?.() : undefined };
      // Safe, because both ends use the same Api type.
      const api = (await parts[part]?.open()) as Record<string, (...args: readonly unknown[]) => unknown>;
      opened.add(part);
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
