import { basename } from 'node:path';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { type Caller, CallerGone, INTERNAL_CALLER } from './caller.ts';
import { type Clock, systemClock } from './clock.ts';
import { isStoreUnavailable, StoreUnavailable } from './store-unavailable.ts';
import { type WorkQueue, type WorkQueueSettings, workQueue } from './work-queue/work-queue.ts';

type Methods<Api> = { [M in keyof Api]: (...args: never[]) => unknown };

/** An API as the main thread calls it: every method returns a promise. */
type Remote<Api extends Methods<Api>> = {
  [M in keyof Api]: (...args: Parameters<Api[M]>) => Promise<Awaited<ReturnType<Api[M]>>>;
};

/** An API as the worker implements it: a method may also return its result directly. */
type Served<Api extends Methods<Api>> = {
  [M in keyof Api]: (
    ...args: Parameters<Api[M]>
  ) => Awaited<ReturnType<Api[M]>> | Promise<Awaited<ReturnType<Api[M]>>>;
};

interface MethodOptions {
  /** A call that was sent, and that a blocked worker reads later than this, is refused with StoreUnavailable. */
  maxQueueMs?: number;
  /**
   * A call that was sent runs to its end, also if its caller has hung up: ending the thread would end the calls of others
   * that it works on too. Until it is sent, the call is withdrawn all the same.
   */
  runsToEnd?: boolean;
}

/**
 * The usual `maxQueueMs` of calls that may wait for a database lock: without a limit, the queue grows for as long as
 * calls come faster than locks are released.
 */
export const MAX_QUEUE_MS = 10_000;

interface Call {
  id: number;
  /** Null: close. */
  method: string | null;
  args: readonly unknown[];
  /** Milliseconds of `monotonicMs`; null: none. */
  deadline: number | null;
  /** Holds the id of a call that is to end early. */
  cancelled: SharedArrayBuffer;
}

type Reply = { id: number; result: unknown } | { id: number; failure: string; isUnavailable: boolean };

export interface WorkerProxy<Api extends Methods<Api>> {
  /** Calls on behalf of the server itself. */
  api: Remote<Api>;
  /** Calls on behalf of a caller, of a cost in the queue's unit. */
  callsFor(caller: Caller, cost: number): Remote<Api>;
  /** Null: calls are sent at once, and whoever calls keeps them few. */
  queue: WorkQueue | null;
  /** Lets the worker finish its work, then ends it. */
  close(): Promise<void>;
  /** Ends the worker at once and for ever. Pending calls are rejected. */
  terminate(): Promise<void>;
  /** Ends the worker at once, with all its memory. The next call starts another. */
  endThread(): Promise<void>;
}

/**
 * Calls the API that the worker in `file` serves with `serveWorker`. Calls wait in a queue on this side, where they can
 * be refused and withdrawn. The worker starts with the first call and keeps the process alive only while a call is
 * pending. If it fails, the calls that it has are rejected and the next call starts another.
 * `resourceLimits` are those of its heap; omitted: Node's.
 */
export function workerProxy<Api extends Methods<Api>>(
  file: URL,
  workerData: unknown,
  methods: Readonly<Record<keyof Api & string, MethodOptions>>,
  settings: WorkQueueSettings | null = null,
  resourceLimits: ResourceLimits = {},
): WorkerProxy<Api> {
  const name = basename(file.pathname, '.ts');
  const start = () => new Worker(file, { workerData, resourceLimits });
  return threadProxy(name, start, methods, settings, systemClock);
}

/** The parts of a worker that a proxy uses. */
export interface Thread {
  postMessage(message: unknown): void;
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** A proxy of threads that `start` starts, for tests and for `workerProxy`. */
export function threadProxy<Api extends Methods<Api>>(
  name: string,
  start: () => Thread,
  methods: Readonly<Record<keyof Api & string, MethodOptions>>,
  settings: WorkQueueSettings | null,
  clock: Clock,
): WorkerProxy<Api> {
  const worker = lazyWorker(name, start, clock);
  const queue = settings && workQueue(settings, clock);

  function callsFor(caller: Caller, cost: number): Remote<Api> {
    const calls = Object.entries<MethodOptions>(methods).map(([method, { maxQueueMs, runsToEnd }]) => [
      method,
      (...args: readonly unknown[]) =>
        queue === null
          ? worker.send(method, args, maxQueueMs, null)
          : queue.run(caller, cost, (signal) =>
              worker.send(method, args, maxQueueMs, runsToEnd ? null : signal),
            ),
    ]);
    // `methods` has every method of the API.
    return Object.fromEntries(calls) as Remote<Api>;
  }

  return {
    api: callsFor(INTERNAL_CALLER, 1),
    callsFor,
    queue,
    async close() {
      await queue?.idle();
      await worker.close();
    },
    terminate: () => worker.terminate(),
    endThread: () => worker.endThread(),
  };
}

/** Milliseconds in which a cancelled call has to end. Otherwise the worker does, and the next call starts another. */
const CANCEL_WITHIN = 5_000;

interface LazyWorker {
  send(
    method: string,
    args: readonly unknown[],
    maxQueueMs: number | undefined,
    signal: AbortSignal | null,
  ): Promise<unknown>;
  close(): Promise<void>;
  terminate(): Promise<void>;
  endThread(): Promise<void>;
}

function lazyWorker(name: string, startThread: () => Thread, clock: Clock): LazyWorker {
  const pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  const cancelled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  let running: Thread | null = null;
  let hasEnded = false;
  let lastId = 0;

  function start(): Thread {
    const worker = startThread();
    const hasGone = (error: Error) => {
      if (running === worker) rejectAll(error);
    };
    worker.on('message', (message) => {
      // Both ends of the channel are in this file.
      const reply = message as Reply;
      const caller = forget(reply.id);
      if ('result' in reply) caller?.resolve(reply.result);
      else caller?.reject(failureOf(reply));
    });
    worker.on('error', (cause) => hasGone(new Error(`Worker ${name} failed`, { cause })));
    worker.on('exit', () => hasGone(new Error(`Worker ${name} stopped`)));
    return worker;
  }

  function forget(id: number) {
    const caller = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) running?.unref();
    return caller;
  }

  function rejectAll(error: Error): void {
    running = null;
    const rejected = [...pending.values()];
    pending.clear();
    for (const { reject } of rejected) reject(error);
  }

  function post(method: string | null, args: readonly unknown[], deadline: number | null, id: number) {
    if (hasEnded) throw new Error(`Worker ${name} stopped`);
    running ??= start();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(id, { resolve, reject });
    running.ref();
    try {
      running.postMessage({ id, method, args, deadline, cancelled } satisfies Call);
    } catch (error) {
      // Not every value can be copied to another thread.
      forget(id)?.reject(new Error(`A call of worker ${name} cannot be sent`, { cause: error }));
    }
    return promise;
  }

  return {
    async send(method, args, maxQueueMs, signal) {
      const id = ++lastId;
      let stopTimer = () => {};
      const cancel = () => {
        Atomics.store(new Int32Array(cancelled), 0, id);
        stopTimer = clock.after(CANCEL_WITHIN, () => void running?.terminate());
      };
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await post(method, args, maxQueueMs === undefined ? null : monotonicMs() + maxQueueMs, id);
      } finally {
        stopTimer();
        signal?.removeEventListener('abort', cancel);
      }
    },
    async close() {
      if (running !== null) await post(null, [], null, ++lastId).catch(() => {});
      await this.terminate();
    },
    async terminate() {
      hasEnded = true;
      await running?.terminate();
    },
    async endThread() {
      await running?.terminate();
    },
  };
}

/** Milliseconds of a clock that all threads share, and that setting the machine's clock does not change. */
function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** The call that this worker runs. A worker whose calls can be cancelled runs one at a time. */
let currentCall: Call | null = null;

/** For long calls, between two of their steps. */
export function throwIfCancelled(): void {
  if (currentCall === null) return;
  if (Atomics.load(new Int32Array(currentCall.cancelled), 0) === currentCall.id) throw new CallerGone();
}

/**
 * Serves an API from inside a worker. `openApi` runs for each call, so that a store which is unavailable for one call
 * may be opened by the next. An error rejects only the call that caused it.
 */
export function serveWorker<Api extends Methods<Api>>(
  openApi: () => Served<Api>,
  close: () => unknown = () => {},
): void {
  parentPort?.on('message', (call: Call) => {
    void replyTo(call).then((reply) => parentPort?.postMessage(reply));
  });

  async function replyTo(call: Call): Promise<Reply> {
    const { id, method, args, deadline } = call;
    try {
      if (method === null) return { id, result: await close() };
      if (deadline !== null && monotonicMs() > deadline) throw new StoreUnavailable();
      currentCall = call;
      // The proxy's types hold: both ends name the same Api.
      const api = openApi() as Record<string, (...args: readonly unknown[]) => unknown>;
      return { id, result: await api[method]?.(...args) };
    } catch (error) {
      return { id, failure: String(error), isUnavailable: isStoreUnavailable(error) };
    }
  }
}

/** Only the message of an error crosses between threads; StoreUnavailable is restored. */
function failureOf({ failure, isUnavailable }: { failure: string; isUnavailable: boolean }): Error {
  const error = new Error(failure);
  return isUnavailable ? new StoreUnavailable({ cause: error }) : error;
}
