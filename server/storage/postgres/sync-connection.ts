import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { OutcomeUnknown, StoreUnavailable } from '../../lib/store-unavailable.ts';
import type {
  OpenSession,
  SyncConnectionOptions,
  SyncRequest,
  SyncResponse,
  SyncResult,
} from './sync-protocol.ts';

/** A synchronous connection to PostgreSQL: the calling thread blocks until the response is there. */
export interface SyncConnection {
  send(request: SyncRequest): SyncResult;
  /** Sends without waiting. What it returns waits for the result, or throws why there is none. */
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
  /** The one request whose response is not received yet. */
  let open: PendingRequest | null = null;

  function responseTo(request: PendingRequest): SyncResponse {
    if (request.response !== null) return request.response;
    open = null;
    request.response = nextResponse(port, signal);
    return request.response;
  }

  function start(request: SyncRequest): () => SyncResult {
    // A closed port drops the request, so its response would never arrive.
    if (isClosed) throw new Error('The connection to the store is closed');
    // Responses come in the order of their requests, so the one before is taken first. Nothing but a rollback can follow
    // one that failed.
    if (open !== null) {
      const response = responseTo(open);
      if (request.kind !== 'end' || request.text !== 'rollback') resultOf(response);
    }
    port.postMessage(request, request.kind === 'copy' ? [request.data.buffer] : []);
    const started: PendingRequest = { response: null };
    open = started;
    return () => resultOf(responseTo(started));
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
  throw new Error('The store rejected a statement', { cause });
}

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
