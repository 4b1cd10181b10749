import { basename } from 'node:path';
import { parentPort, Worker } from 'node:worker_threads';
import { isStoreUnavailable, StoreUnavailable } from './store-unavailable.ts';

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
  /** A call that has waited longer than this in the worker's queue is refused with StoreUnavailable. */
  maxQueueMs?: number;
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
  /** Milliseconds since 1970; null: none. */
  deadline: number | null;
}

type Reply = { id: number; result: unknown } | { id: number; failure: string; isUnavailable: boolean };

export interface WorkerProxy<Api extends Methods<Api>> {
  api: Remote<Api>;
  /** Lets the worker finish its work, then ends it. */
  close(): Promise<void>;
  /** Ends the worker at once. Pending calls are rejected. */
  terminate(): Promise<void>;
}

/**
 * Calls the API that the worker in `file` serves with `serveWorker`. The worker starts with the first call and keeps
 * the process alive only while a call is pending. If it fails, its pending calls are rejected and the next call starts
 * another.
 */
export function workerProxy<Api extends Methods<Api>>(
  file: URL,
  workerData: unknown,
  methods: Readonly<Record<keyof Api & string, MethodOptions>>,
): WorkerProxy<Api> {
  const name = basename(file.pathname, '.ts');
  const pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let running: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const worker = new Worker(file, { workerData });
    worker.on('message', (reply: Reply) => {
      const caller = pending.get(reply.id);
      pending.delete(reply.id);
      if (pending.size === 0) worker.unref();
      if ('result' in reply) caller?.resolve(reply.result);
      else caller?.reject(failureOf(reply));
    });
    worker.on('error', (cause) => rejectAll(new Error(`Worker ${name} failed`, { cause })));
    worker.on('exit', () => rejectAll(new Error(`Worker ${name} stopped`)));
    return worker;
  }

  function rejectAll(error: Error): void {
    running = null;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }

  function send(method: string | null, args: readonly unknown[], maxQueueMs?: number): Promise<unknown> {
    running ??= start();
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const deadline = maxQueueMs === undefined ? null : Date.now() + maxQueueMs;
    try {
      running.postMessage({ id, method, args, deadline } satisfies Call);
    } catch (cause) {
      // An argument cannot be cloned. The worker knows nothing of the call.
      if (pending.size === 0) running.unref();
      return Promise.reject(new Error(`The arguments of ${name}.${method} cannot be sent`, { cause }));
    }
    pending.set(id, { resolve, reject });
    running.ref();
    return promise;
  }

  const calls = Object.entries<MethodOptions>(methods).map(([method, { maxQueueMs }]) => [
    method,
    (...args: readonly unknown[]) => send(method, args, maxQueueMs),
  ]);
  return {
    // `methods` has every method of the API.
    api: Object.fromEntries(calls) as Remote<Api>,
    async close() {
      if (running !== null) await send(null, []).catch(() => {});
      await running?.terminate();
    },
    async terminate() {
      await running?.terminate();
    },
  };
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

  async function replyTo({ id, method, args, deadline }: Call): Promise<Reply> {
    try {
      if (method === null) return { id, result: await close() };
      if (deadline !== null && Date.now() > deadline) throw new StoreUnavailable();
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
