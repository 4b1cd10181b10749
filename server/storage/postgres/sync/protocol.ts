import type { MessagePort } from 'node:worker_threads';
import type { SqlInput, SqlValue } from '../../sql-database.ts';
import type { ServerSettings } from '../client.ts';

/** Requests to a session. The memory of a `copy` is transferred. A `task` does nothing without Citus. */
export type SyncRequest =
  | { kind: 'statement'; text: string; values: readonly SqlInput[]; isKept: boolean }
  | { kind: 'script'; text: string }
  | { kind: 'copy'; text: string; data: Uint8Array<ArrayBuffer> }
  | { kind: 'begin'; text: string }
  | { kind: 'end'; text: 'commit' | 'rollback' }
  | { kind: 'task'; task: SyncTask };

export type SyncTask = 'wait for commits' | 'distribute new tables';

export type SyncResponse = SyncResult | SyncFailure;

export interface SyncResult {
  kind: 'result';
  columns: string[];
  rows: SqlValue[][];
  changes: number;
}

/** A failure as plain values, because errors lose their codes between threads. */
export interface SyncFailure {
  kind: 'failed';
  isTransient: boolean;
  /** Whether the transaction may have been committed. */
  isOutcomeUnknown: boolean;
  code: string | null;
  message: string;
}

export interface SyncConnectionOptions {
  /** The servers to try, in this order, whenever there is no connection. */
  urls: readonly string[];
  settings: ServerSettings;
  /** Whether a statement outside a transaction may be retried on another server. */
  isReadOnly: boolean;
  /** How long to ask for an unknown commit's outcome, in milliseconds. 0: it counts as failed. */
  outcomeWait: number;
}

/** Opens a session in the worker. The worker increments `signal` after every response on `port`. */
export interface OpenSession {
  options: SyncConnectionOptions;
  port: MessagePort;
  signal: Int32Array;
}

/** The value that a worker sets when it ends. */
export const ENDED = -1;
