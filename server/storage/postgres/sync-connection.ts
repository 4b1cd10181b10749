import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { OutcomeUnknown, StoreUnavailable } from '../../lib/store-unavailable.ts';
import { POOLED_BY_TRANSACTION } from './require-sessions.ts';
import type {
  OpenSession,
  SyncConnectionOptions,
  SyncFailure,
  SyncRequest,
  SyncResponse,
  SyncResult,
} from './sync-protocol.ts';

/** A synchronous connection to PostgreSQL: the calling thread blocks until the response is there. */
export interface SyncConnection {
  send(request: SyncRequest): SyncResult;
  /**
   * Sends without waiting, in a transaction also behind others that are not answered yet. What it returns waits for the
   * result, or throws why there is none, or why one before it in the transaction has failed.
   */
  start(request: SyncRequest): () => SyncResult;
  close(): void;
}

/** The worker that runs the sessions of all connections of this thread, because the PostgreSQL client is asynchronous. */
let worker: Worker | null = null;

function sharedWorker(): Worker {
  if (worker !== null) return worker;
  const started = new Worker(new URL('./sync-worker.ts', import.meta.url));
  // The worker must not keep the process alive.
  started.unref();
  started.once('exit', () => {
    worker = null;
  });
  worker = started;
  return started;
}

/** Opens a connection. The first request connects, and so does the first one after a connection was lost. */
export function openSyncConnection(options: SyncConnectionOptions): SyncConnection {
  const { port1: port, port2: sessionPort } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  sharedWorker().postMessage({ options, port: sessionPort, signal } satisfies OpenSession, [sessionPort]);
  port.unref();
  let isClosed = false;
  let isInTransaction = false;
  /** Requests whose responses are not received yet, in the order in which these come. */
  const open: PendingRequest[] = [];
  /** The first failure in the open transaction that nobody has been told of. */
  let untold: SyncFailure | null = null;

  function receive(request: PendingRequest): SyncResponse {
    while (request.response === null) {
      const response = nextResponse(port, signal);
      const answered = open.shift();
      if (answered === undefined) throw new Error('A response without a request');
      answered.response = response;
      if (answered !== request && response.kind === 'failed') untold ??= response;
    }
    return request.response;
  }

  /** What fails after another statement of the transaction failed, fails for that reason. */
  function resultTo(request: PendingRequest): SyncResult {
    const response = receive(request);
    const first = untold;
    untold = null;
    return resultOf(first ?? response);
  }

  /** In a transaction, nothing but a rollback can follow a failure; elsewhere, the caller is told of it first. */
  function finishOpen(isRollback: boolean): void {
    const last = open.at(-1);
    if (last === undefined) return;
    if (isRollback) receive(last);
    else resultTo(last);
  }

  function start(request: SyncRequest): () => SyncResult {
    // A closed port drops the request, so its response would never arrive.
    if (isClosed) throw new Error('The connection to the store is closed');
    const isRollback = request.kind === 'end' && request.text === 'rollback';
    if (!isInTransaction || request.kind === 'end') finishOpen(isRollback);
    if (isRollback) untold = null;
    if (request.kind === 'begin' || request.kind === 'end') isInTransaction = request.kind === 'begin';
    port.postMessage(request, request.kind === 'copy' ? [request.data.buffer] : []);
    const started: PendingRequest = { response: null };
    open.push(started);
    return () => {
      try {
        return resultTo(started);
      } catch (error) {
        if (request.kind === 'begin') isInTransaction = false;
        throw error;
      }
    };
  }

  return {
    start,
    send: (request) => start(request)(),
    close() {
      isClosed = true;
      port.close();
    },
  };
}

/** A request whose response has been received or not. */
interface PendingRequest {
  response: SyncResponse | null;
}

/** Throws what a failed request failed by. */
function resultOf(response: SyncResponse): SyncResult {
  if (response.kind === 'result') return response;
  const { error, code } = response;
  const cause = error instanceof Error && code !== null ? Object.assign(error, { code }) : error;
  if (response.isOutcomeUnknown) throw new OutcomeUnknown({ cause: new StoreUnavailable({ cause }) });
  if (response.isTransient) throw new StoreUnavailable({ cause });
  const isPooled = code !== null && LOST_STATEMENT.has(code);
  throw new Error(isPooled ? POOLED_BY_TRANSACTION : 'The store rejected a statement', { cause });
}

/** A prepared statement is there already (42P05) or is gone (26000): the connection is not the one that it was before. */
const LOST_STATEMENT: ReadonlySet<string> = new Set(['42P05', '26000']);

/**
 * Blocks until a response has arrived. A late notification of the previous response can end the wait early; without
 * the loop every later response would then be one request behind.
 */
export function nextResponse(port: MessagePort, signal: Int32Array): SyncResponse {
  for (;;) {
    const before = Atomics.load(signal, 0);
    const received = receiveMessageOnPort(port);
    if (received !== undefined) return received.message as SyncResponse;
    Atomics.wait(signal, 0, before);
  }
}
