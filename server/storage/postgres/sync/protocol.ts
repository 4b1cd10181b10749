import type { MessagePort } from 'node:worker_threads';
import type { SqlInput, SqlValue } from '../../sql-database.ts';
import type { ServerSettings } from '../client.ts';

/**
 * What a `SyncConnection` sends to its session. The memory of a `copy` is moved, not copied: the sender cannot read it any
 * more. A `task` is for Citus; on other servers it does nothing.
 */
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

/** Text and not an error, which loses its code between threads, and may have properties that cannot be copied. */
export interface SyncFailure {
  kind: 'failed';
  isTransient: boolean;
  /** Of a commit: it may have happened. */
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
  /**
   * How long the server is asked for the outcome of a commit that it has not answered, in milliseconds. With 0, such a
   * commit has failed.
   */
  outcomeWait: number;
}

/** Opens a session in the worker thread. `signal` is incremented after every response on `port`. */
export interface OpenSession {
  options: SyncConnectionOptions;
  port: MessagePort;
  signal: Int32Array;
}

/** The last sign of life of a worker. Another value is one that it gives while it lives. */
export const ENDED = -1;
