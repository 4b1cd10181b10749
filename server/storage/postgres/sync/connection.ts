import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  resourceLimits,
  Worker,
} from 'node:worker_threads';
import { OutcomeUnknown, StoreUnavailable } from '../../../lib/store-unavailable.ts';
import { POOLED_BY_TRANSACTION } from '../require-sessions.ts';
import {
  ENDED,
  type OpenSession,
  type SyncConnectionOptions,
  type SyncFailure,
  type SyncRequest,
  type SyncResponse,
  type SyncResult,
} from './protocol.ts';

/** A synchronous connection to PostgreSQL: the calling thread blocks until the response arrives. */
export interface SyncConnection {
  send(request: SyncRequest): SyncResult;
  /** Sends without waiting. The returned function waits, and throws the transaction's first failure. */
  start(request: SyncRequest): () => SyncResult;
  close(): void;
}

/** The worker that runs all sessions for the connections of this thread. */
export interface SyncThread {
  worker: Pick<Worker, 'postMessage' | 'terminate'>;
  /** The worker changes this every second, and sets it to `ENDED` when it ends. */
  life: Int32Array;
}

let shared: SyncThread | null = null;

function sharedThread(): SyncThread {
  if (shared !== null && !hasEnded(shared)) return shared;
  const life = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const { maxYoungGenerationSizeMb } = resourceLimits;
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: life,
    // The worker gets this thread's limit, because all data that the thread reads passes through it.
    resourceLimits: maxYoungGenerationSizeMb === undefined ? {} : { maxYoungGenerationSizeMb },
  });
  worker.unref();
  worker.once('exit', () => Atomics.store(life, 0, ENDED));
  shared = { worker, life };
  return shared;
}

function hasEnded({ life }: SyncThread): boolean {
  return Atomics.load(life, 0) === ENDED;
}

/** Terminates the worker, which may hang, so that no pending request runs later. */
function endThread(thread: SyncThread): void {
  if (shared === thread) shared = null;
  Atomics.store(thread.life, 0, ENDED);
  void thread.worker.terminate();
}

/** A connection's session in the worker. */
interface OpenedSession {
  thread: SyncThread;
  port: MessagePort;
  signal: Int32Array;
}

function openSession(thread: SyncThread, options: SyncConnectionOptions): OpenedSession {
  const { port1: port, port2: sessionPort } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  thread.worker.postMessage({ options, port: sessionPort, signal } satisfies OpenSession, [sessionPort]);
  port.unref();
  return { thread, port, signal };
}

/** A connection that opens with the first request, and reopens if it or its worker was lost. */
export function openSyncConnection(
  options: SyncConnectionOptions,
  startThread: () => SyncThread = sharedThread,
): SyncConnection {
  let session: OpenedSession | null = openSession(startThread(), options);
  let isClosed = false;
  let isInTransaction = false;
  /** Whether the open transaction was lost with its worker. Statements then fail until the rollback. */
  let isLost = false;
  /** Requests without a response yet, in order. */
  const open: PendingRequest[] = [];
  /** The open transaction's first failure that no caller has received. */
  let untold: SyncFailure | null = null;

  function receive(request: PendingRequest): SyncResponse {
    while (request.response === null) {
      const response = session && nextResponse(session.port, session.signal, session.thread.life);
      if (response === null) return loseOpen(request);
      const answered = open.shift();
      if (answered === undefined) throw new Error('A response without a request');
      answered.response = response;
      if (answered !== request && response.kind === 'failed') untold ??= response;
    }
    return request.response;
  }

  /** Fails all open requests, because the worker has ended. Returns the response to `request`. */
  function loseOpen(request: PendingRequest): SyncResponse {
    if (session !== null) {
      endThread(session.thread);
      session.port.close();
    }
    session = null;
    isLost = isInTransaction;
    for (const one of open.splice(0)) one.response = lost(one);
    return request.response ?? lost(request);
  }

  /** After an unreported failure in the transaction, callers get that one instead of their own. */
  function resultTo(request: PendingRequest): SyncResult {
    const response = receive(request);
    const first = untold;
    untold = null;
    return resultOf(first ?? response);
  }

  /** Waits for the open requests. Unless a rollback follows, throws their first failure. */
  function finishOpen(isRollback: boolean): void {
    const last = open.at(-1);
    if (last === undefined) return;
    if (isRollback) receive(last);
    else resultTo(last);
  }

  function start(request: SyncRequest): () => SyncResult {
    // A closed port drops the request, so waiting for its response would never end.
    if (isClosed) throw new Error('The connection to the store is closed');
    const isRollback = request.kind === 'end' && request.text === 'rollback';
    if (!isInTransaction || request.kind === 'end') finishOpen(isRollback);
    if (isRollback) untold = null;
    if (request.kind === 'begin' || request.kind === 'end') isInTransaction = request.kind === 'begin';
    if (isLost) {
      isLost = isInTransaction;
      if (!isRollback) throw new StoreUnavailable();
    }
    session ??= openSession(startThread(), options);
    session.port.postMessage(request, request.kind === 'copy' ? [request.data.buffer] : []);
    const isCommit = request.kind === 'end' && !isRollback && options.outcomeWait > 0;
    const started: PendingRequest = { response: null, isCommit };
    open.push(started);
    return () => {
      try {
        return resultTo(started);
      } catch (error) {
        if (request.kind === 'begin') [isInTransaction, isLost] = [false, false];
        throw error;
      }
    };
  }

  return {
    start,
    send: (request) => start(request)(),
    close() {
      isClosed = true;
      session?.port.close();
    },
  };
}

interface PendingRequest {
  response: SyncResponse | null;
  /** Whether this is a commit. If the connection is lost, its outcome is looked up (see `outcomeWait`). */
  isCommit: boolean;
}

/** The failure of a request whose worker has ended. */
function lost({ isCommit }: PendingRequest): SyncFailure {
  const message = 'The thread of the connections to the store has ended';
  return { kind: 'failed', isTransient: true, isOutcomeUnknown: isCommit, code: null, message };
}

function resultOf(response: SyncResponse): SyncResult {
  if (response.kind === 'result') return response;
  const { message, code } = response;
  const cause = Object.assign(new Error(message), code === null ? {} : { code });
  if (response.isOutcomeUnknown) throw new OutcomeUnknown({ cause: new StoreUnavailable({ cause }) });
  if (response.isTransient) throw new StoreUnavailable({ cause });
  const isPooled = code !== null && LOST_STATEMENT.has(code);
  throw new Error(isPooled ? POOLED_BY_TRANSACTION : 'The store rejected a statement', { cause });
}

/** A prepared statement already exists, or no longer does: a pooler has changed the session. */
const LOST_STATEMENT: ReadonlySet<string> = new Set(['42P05', '26000']);

const LOOK_EVERY_MS = 1_000;

/**
 * After this many checks without a sign of life, the worker counts as dead. Counts checks, because the
 * process may have been suspended.
 */
const MAX_SILENT_LOOKS = 60;

/**
 * Blocks until a response arrives; returns null if the worker has ended without one. Loops, because a
 * notification of the previous response may come late.
 */
export function nextResponse(
  port: MessagePort,
  signal: Int32Array,
  life: Int32Array,
  lookEvery: number = LOOK_EVERY_MS,
): SyncResponse | null {
  let lastSign = Atomics.load(life, 0);
  for (let silent = 0; silent < MAX_SILENT_LOOKS; ) {
    const before = Atomics.load(signal, 0);
    // Read before the response, because the worker may end right after sending it.
    const sign = Atomics.load(life, 0);
    const received = receiveMessageOnPort(port);
    if (received !== undefined) return received.message as SyncResponse;
    if (sign === ENDED) return null;
    const isSilent = Atomics.wait(signal, 0, before, lookEvery) === 'timed-out' && sign === lastSign;
    silent = isSilent ? silent + 1 : 0;
    lastSign = sign;
  }
  return null;
}
