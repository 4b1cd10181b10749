import { UnusableServer } from './unusable-server.ts';

/**
 * Transient failures by SQLSTATE or Node's codes: connection (08), conflict (40), resources (53, except a
 * setting's limit, 53400), shutdown or start (57P), now a replica (25006), idle transaction (25P03), lock
 * timeout (55P03).
 */
const TRANSIENT = /^(08...|40...|53[0-3]..|57P0[1-5]|25006|25P03|55P03|E(?!RR_)[A-Z_]+)$/;

/** Messages of the client about broken or failed connections. They have no code. */
const BROKEN = /terminated|timeout|not queryable|closed|socket/i;

/** Citus reports a lost node as XX000 or 58030, with one of these messages or source files. */
const LOST_NODE =
  /server closed the connection|remote node|no connection to the server|connection not open|could not (send|receive) data/i;
const CITUS_CODES = new Set(['XX000', '58030']);
const FILES_OF_CONNECTIONS = new Set([
  'adaptive_executor.c',
  'connection_management.c',
  'multi_copy.c',
  'placement_connection.c',
  'remote_commands.c',
  'remote_transaction.c',
]);

/** Citus's misleading message for a table that was distributed while the statement was planned. */
const PLANNED_TOO_EARLY = /parameterized queries for SQL functions referencing distributed tables/;
const FEATURE_NOT_SUPPORTED = '0A000';

/** Whether a table was distributed while the statement was planned. A retry succeeds. */
export function isPlannedTooEarly(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === FEATURE_NOT_SUPPORTED &&
    PLANNED_TOO_EARLY.test(error.message)
  );
}

/** The pool's message if no connection was free in time. It has no code. */
export const POOL_IS_FULL = 'timeout exceeded when trying to connect';

/** Whether all connections of a pool were busy for too long. The server itself has not failed. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message === POOL_IS_FULL;
}

/** Whether a failure comes from the server or its state, not from the statement. */
export function isTransientFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnusableServer || isPlannedTooEarly(error)) return true;
  // The error has one failure for each address of the host.
  if (error instanceof AggregateError) return error.errors.every(isTransientFailure);
  const code = 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') return BROKEN.test(error.message);
  if (CITUS_CODES.has(code)) return isLostNode(error);
  return TRANSIENT.test(code);
}

function isLostNode(error: Error): boolean {
  const file = 'file' in error ? error.file : undefined;
  return (typeof file === 'string' && FILES_OF_CONNECTIONS.has(file)) || LOST_NODE.test(error.message);
}
