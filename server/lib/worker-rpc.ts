import { basename } from 'node:path';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import { type Caller, CallerGone, INTERNAL_CALLER } from './caller.ts';
import { type Clock, systemClock } from './clock.ts';
import { collectWhenAsked } from './collect-garbage.ts';
import { isStoreUnavailable, StoreUnavailable } from './store-unavailable.ts';
import { ThreadEnded } from './thread-ended.ts';
import { threadTime } from './thread-time.ts';
import { type Took, type WorkQueue, type WorkQueueSettings, workQueue } from './work-queue/work-queue.ts';

type Methods<Api> = { [M in keyof Api]: (...args: never[]) => unknown };

/** An API as the main thread calls it: every method returns a promise. */
export type Remote<Api extends Methods<Api>> = {
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
  /**
   * A call that was sent, and that a blocked worker has not begun when its caller has waited long enough, is refused then,
   * with StoreUnavailable, and never begun. That of a patient caller waits on.
   */
  isGivenUpUnbegun?: boolean;
}

/**
 * The usual `maxQueueMs` of calls that may wait for a database lock: without a limit, the queue grows for as long as
 * calls come faster than locks are released.
 */
export const MAX_QUEUE_MS = 10_000;

/**
 * What is posted ahead to a thread that does one call after the other: it reads the next one while the event loop has not
 * read the last reply. It is short, so that a small call never stands long behind large ones.
 */
export const AHEAD_OF_THREAD = { pieces: 8, ms: 50 };

interface Call {
  id: number;
  /** Null: close. */
  method: string | null;
  args: readonly unknown[];
  /** These are in milliseconds of `monotonicMs`. */
  sentAt: number;
  /** Null: none. */
  deadline: number | null;
  /** Is no longer zero once the call is to end early. Null: it runs to its end. */
  cancelled: SharedArrayBuffer | null;
  /** Whose the call is: whoever sets it first may begin the call, or refuse it. Null: it is not given up. */
  claim: SharedArrayBuffer | null;
}

/** The values of a claim. */
const UNCLAIMED = 0;
const BEGUN = 1;
const GIVEN_UP = 2;

/** Takes a claim, unless the other thread has it. Returns whether it did. A call is either begun or given up, whatever happens at the same time in the two threads. */
function takeClaim(claim: SharedArrayBuffer, value: typeof BEGUN | typeof GIVEN_UP): boolean {
  return Atomics.compareExchange(new Int32Array(claim), 0, UNCLAIMED, value) === UNCLAIMED;
}

/**
 * With the milliseconds that the worker took, and those that its processor worked; null for calls that are done side by
 * side. These wait for each other in the worker, and that counts as theirs: a queue that has sent many of them would
 * otherwise expect far too short a wait.
 */
type Reply = { id: number; ms: number; processorMs: number | null } & Outcome;

type Outcome = { result: unknown } | { failure: string; isUnavailable: boolean };

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
 * The heap of a worker. What it works on is garbage soon: on a large machine Node would let the part for young objects
 * grow to 128 MB before it collects any, in each thread.
 */
const YOUNG_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 48 };

/**
 * Calls the API that the worker in `file` serves with `serveWorker`. Calls wait in a queue on this side, where they can
 * be refused and withdrawn. The worker starts with the first call and keeps the process alive only while a call is
 * pending. If it fails, the calls that it works on are rejected with `ThreadEnded`, and the next call starts another.
 * `resourceLimits` are those of its heap.
 */
export function workerProxy<Api extends Methods<Api>>(
  file: URL,
  workerData: unknown,
  methods: Readonly<Record<keyof Api & string, MethodOptions>>,
  settings: WorkQueueSettings | null = null,
  resourceLimits: ResourceLimits = YOUNG_HEAP,
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
    const calls = Object.entries<MethodOptions>(methods).map(([method, options]) => [
      method,
      (...args: readonly unknown[]) =>
        queue === null
          ? worker.send({ method, args, ...SENT_AT_ONCE, maxQueueMs: options.maxQueueMs })
          : queued(queue, caller, cost, { method, args }, options),
    ]);
    // `methods` has every method of the API.
    return Object.fromEntries(calls) as Remote<Api>;
  }

  /** A call that is given up keeps its place in the queue until the thread has passed over it. */
  function queued(
    before: WorkQueue,
    caller: Caller,
    cost: number,
    call: Pick<Sent, 'method' | 'args'>,
    { maxQueueMs, runsToEnd, isGivenUpUnbegun }: MethodOptions,
  ): Promise<unknown> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const givingUp = isGivenUpUnbegun && !caller.isPatient ? { at: endOfWait(caller), giveUp: reject } : null;
    const done = before.run(caller, cost, (signal, took) =>
      worker.send({ ...call, maxQueueMs, givingUp, signal: runsToEnd ? null : signal, took }),
    );
    return Promise.race([done, late]);
  }

  /** When a caller who comes now has waited long enough, in the queue and in the thread. */
  function endOfWait({ waitsUntil = Number.POSITIVE_INFINITY }: Caller): number {
    return Math.min(waitsUntil, clock.now() + (settings?.maxWaitMs ?? Number.POSITIVE_INFINITY));
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

/** A call as it is sent. */
interface Sent {
  method: string;
  args: readonly unknown[];
  maxQueueMs: number | undefined;
  /** When `giveUp` is called, unless the call has begun. Null: never. */
  givingUp: { at: number; giveUp(why: Error): void } | null;
  signal: AbortSignal | null;
  took: Took;
}

const UNLIMITED = { claim: null, stopWaiting() {} };

const SENT_AT_ONCE = { givingUp: null, signal: null, took: () => {} };

interface LazyWorker {
  send(sent: Sent): Promise<unknown>;
  close(): Promise<void>;
  terminate(): Promise<void>;
  endThread(): Promise<void>;
}

interface Pending {
  call: Call;
  resolve(result: unknown): void;
  reject(error: Error): void;
  took: Took;
}

function lazyWorker(name: string, startThread: () => Thread, clock: Clock): LazyWorker {
  /** In the order in which they were sent. */
  const pending = new Map<number, Pending>();
  let running: Thread | null = null;
  /** The thread that runs has answered once. Until then it is starting, which may take longer than anybody waits. */
  let hasAnswered = false;
  let hasEnded = false;
  let lastId = 0;

  function start(): Thread {
    const worker = newThread();
    hasAnswered = false;
    const hasGone = (error: Error) => {
      if (running === worker) rejectBegun(error);
    };
    worker.on('message', (message) => {
      // Both ends of the channel are in this file.
      const reply = message as Reply;
      hasAnswered = true;
      const caller = forget(reply.id);
      caller?.took(reply.ms, reply.processorMs ?? undefined);
      if ('result' in reply) caller?.resolve(reply.result);
      else caller?.reject(failureOf(reply));
    });
    worker.on('error', (cause) => hasGone(new ThreadEnded(`Worker ${name} failed`, { cause })));
    worker.on('exit', () => hasGone(new ThreadEnded(`Worker ${name} stopped`)));
    return worker;
  }

  function newThread(): Thread {
    try {
      return startThread();
    } catch (cause) {
      throw new ThreadEnded(`Worker ${name} cannot be started`, { cause });
    }
  }

  function forget(id: number) {
    const caller = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) running?.unref();
    return caller;
  }

  /** The call that the worker does, of those that it does one after the other. */
  function inTurn(): Pending | undefined {
    for (const one of pending.values()) if (one.call.cancelled !== null) return one;
    return undefined;
  }

  /**
   * Rejects what a thread that has gone was working on. What stood behind it is sent to another thread, or rejected too if
   * none can be started now, for want of memory or files. Nothing is thrown, because nobody would catch it.
   */
  function rejectBegun(error: Error): void {
    running = null;
    const begun = inTurn();
    const all = [...pending.values()];
    const rejected = hasEnded ? all : all.filter((one) => one === begun || one.call.cancelled === null);
    for (const { call } of rejected) pending.delete(call.id);
    try {
      for (const { call } of pending.values()) hand(call);
    } catch {
      rejected.push(...pending.values());
      pending.clear();
    }
    for (const { reject } of rejected) reject(error);
  }

  function hand(call: Call): void {
    running ??= start();
    running.ref();
    running.postMessage(call);
  }

  function post(call: Call, took: Took): Promise<unknown> {
    if (hasEnded) throw new ThreadEnded(`Worker ${name} stopped`);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(call.id, { call, resolve, reject, took });
    try {
      hand(call);
    } catch (error) {
      // Not every value can be copied to another thread.
      const reason =
        error instanceof ThreadEnded
          ? error
          : new Error(`A call of worker ${name} cannot be sent`, { cause: error });
      forget(call.id)?.reject(reason);
    }
    return promise;
  }

  /** The claim of a call that is given up in time, unless the thread has begun it. */
  function claimUntil({ at, giveUp }: NonNullable<Sent['givingUp']>) {
    const claim = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const stopWaiting = clock.after(Math.max(0, at - clock.now()), () => {
      if (!hasAnswered || !takeClaim(claim, GIVEN_UP)) return;
      giveUp(new StoreUnavailable({ cause: new Error(`Worker ${name} was blocked for too long`) }));
    });
    return { claim, stopWaiting };
  }

  return {
    async send({ method, args, maxQueueMs, givingUp, signal, took }) {
      const id = ++lastId;
      const sentAt = monotonicMs();
      const deadline = maxQueueMs === undefined ? null : sentAt + maxQueueMs;
      const cancelled = signal && new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
      const { claim, stopWaiting } = givingUp === null ? UNLIMITED : claimUntil(givingUp);
      let stopTimer = () => {};
      const endUnlessGivenUp = () => {
        stopTimer = clock.after(CANCEL_WITHIN, () => {
          // A call that has not begun holds nobody up.
          if (inTurn()?.call.id === id) void running?.terminate();
          else endUnlessGivenUp();
        });
      };
      const cancel = () => {
        if (cancelled !== null) Atomics.store(new Int32Array(cancelled), 0, 1);
        endUnlessGivenUp();
      };
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await post({ id, method, args, sentAt, deadline, cancelled, claim }, took);
      } finally {
        stopTimer();
        stopWaiting();
        signal?.removeEventListener('abort', cancel);
      }
    },
    async close() {
      const sentAt = monotonicMs();
      const call = {
        id: ++lastId,
        method: null,
        args: [],
        sentAt,
        deadline: null,
        cancelled: null,
        claim: null,
      };
      if (running !== null) await post(call, () => {}).catch(() => {});
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
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The call that this worker does, of those that it does one after the other. */
let currentCall: Call | null = null;

/** For long calls, between two of their steps. */
export function throwIfCancelled(): void {
  const flag = currentCall?.cancelled ?? null;
  if (flag !== null && Atomics.load(new Int32Array(flag), 0) !== 0) throw new CallerGone();
}

/**
 * Serves an API from inside a worker. `openApi` runs for each call, so that a store which is unavailable for one call
 * may be opened by the next. An error rejects only the call that caused it. Calls that can be cancelled are done one after
 * the other, others side by side.
 */
export function serveWorker<Api extends Methods<Api>>(
  openApi: () => Served<Api>,
  close: () => unknown = () => {},
): void {
  let earlier = Promise.resolve();
  collectWhenAsked();
  parentPort?.on('message', (call: Call) => {
    if (call.cancelled === null) void replyTo(call);
    else earlier = earlier.then(() => replyTo(call));
  });

  async function replyTo(call: Call): Promise<void> {
    const isInTurn = call.cancelled !== null;
    if (isInTurn) currentCall = call;
    const from = isInTurn ? monotonicMs() : call.sentAt;
    const threadFrom = threadTime();
    const outcome = await outcomeOf(call);
    const processorMs = isInTurn ? threadTime() - threadFrom : null;
    const ms = monotonicMs() - from;
    parentPort?.postMessage({ id: call.id, ms, processorMs, ...outcome } satisfies Reply);
  }

  async function outcomeOf({ method, args, deadline, cancelled, claim }: Call): Promise<Outcome> {
    try {
      if (method === null) return { result: await close() };
      if (deadline !== null && monotonicMs() > deadline) throw new StoreUnavailable();
      if (claim !== null && !takeClaim(claim, BEGUN)) throw new StoreUnavailable();
      // Withdrawn before its turn.
      if (cancelled !== null) throwIfCancelled();
      // The proxy's types hold: both ends name the same Api.
      const api = openApi() as Record<string, (...args: readonly unknown[]) => unknown>;
      return { result: await api[method]?.(...args) };
    } catch (error) {
      return { failure: String(error), isUnavailable: isStoreUnavailable(error) };
    }
  }
}

/** Only the message of an error crosses between threads; StoreUnavailable is restored. */
function failureOf({ failure, isUnavailable }: { failure: string; isUnavailable: boolean }): Error {
  const error = new Error(failure);
  return isUnavailable ? new StoreUnavailable({ cause: error }) : error;
}
