import { isStoreUnavailable } from '../../lib/store-unavailable.ts';
import { isStoreLocked } from '../store-locked.ts';
import type { SyncConnection } from './sync-connection.ts';
import type { SyncRequest } from './sync-protocol.ts';

/** How long a connection waits for a lock, in milliseconds. */
export interface LockWaits {
  /** As its settings say. */
  first: number;
  /** After a wait that was in vain, until a transaction has written. */
  again: number;
}

/**
 * A connection for people who wait. A thread that waits for a lock does nothing else, so those who come behind a wait that
 * was in vain do not each begin another.
 */
export function waitingBriefly(connection: SyncConnection, { first, again }: LockWaits): SyncConnection {
  /** Null: not known. After a failure, the connection may be another one. */
  let set: number | null = first;
  let wanted = first;
  /** Null: no transaction is open. */
  let open: SyncRequest | null = null;

  function noting<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (isStoreUnavailable(error)) set = null;
      if (isStoreLocked(error)) wanted = again;
      throw error;
    }
  }

  /** A setting of the connection: a transaction that is rolled back would take it back. */
  function applyBefore({ kind }: SyncRequest): void {
    if (kind === 'end' || open !== null || set === wanted) return;
    connection.send({ kind: 'script', text: `set lock_timeout = ${wanted}` });
    set = wanted;
  }

  function start(request: SyncRequest): ReturnType<SyncConnection['start']> {
    applyBefore(request);
    const begun = open;
    const result = noting(() => connection.start(request));
    if (request.kind === 'begin') open = request;
    if (request.kind === 'end') open = null;
    return () => {
      try {
        const received = noting(result);
        if (isCommit(request) && isWriting(begun)) wanted = first;
        return received;
      } catch (error) {
        if (request.kind === 'begin') open = null;
        throw error;
      }
    };
  }

  return {
    start,
    send: (request) => start(request)(),
    close: () => connection.close(),
  };
}

function isCommit(request: SyncRequest): boolean {
  return request.kind === 'end' && request.text === 'commit';
}

function isWriting(begun: SyncRequest | null): boolean {
  return begun?.kind === 'begin' && !begun.text.includes('read only');
}
