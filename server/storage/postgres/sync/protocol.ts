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

/** Plain text, because errors lose their codes between threads. */
export interface SyncFailure {
  kind: 'failed';
  isTransient: boolean;
  /** Whether the commit may have happened. */
  isOutcomeUnknown: boolean;
  code: string | null;
  message: string;
}

export interface SyncConnectionOptions {
  /** Tried in this order whenever there is no connection. */
  urls: readonly string[];
  settings: ServerSettings;
  /** Whether a statement outside a transaction can be retried on another server. */
  isReadOnly: boolean;
  /** How long to ask for the outcome of an unanswered commit, in milliseconds. 0: it counts as failed. */
  outcomeWait: number;
}

/** Opens a session in the worker thread. `signal` is incremented after every response on `port`. */
export interface OpenSession {
  options: SyncConnectionOptions;
  port: MessagePort;
  signal: Int32Array;
}

/** The last sign of life of a worker. */
export const ENDED = -1;
