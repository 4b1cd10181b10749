/**
 * Failures of a connection or of the whole server, by SQLSTATE or by Node's codes: no connection (08), rolled back by a
 * conflict (40), out of disk, memory or connections (53, but not 53400, the limit of a setting such as
 * `max_prepared_transactions`), shutting down or starting up (57P), a primary that has become a replica (25006), an idle
 * transaction that timed out (25P03), and a lock that was not available in time (55P03).
 */
const TRANSIENT = /^(08...|40...|53[0-3]..|57P0[1-5]|25006|25P03|55P03|E(?!RR_)[A-Z_]+)$/;

/** The client's messages, which have no code, when a connection breaks or cannot be opened. */
const BROKEN = /terminated|timeout|not queryable|closed|socket/i;

/**
 * What Citus says when its connection to another node breaks in the middle of a statement: an internal error (XX000) or a
 * failure of input and output (58030), with one of these messages or from one of these files of its source.
 */
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

/**
 * Citus looks before and after it plans a statement whether a table is distributed. If the table has become so in between,
 * it takes the statement for one that it does not support, and says this; it has no other code or message of its own.
 */
const PLANNED_TOO_EARLY = /parameterized queries for SQL functions referencing distributed tables/;
const FEATURE_NOT_SUPPORTED = '0A000';

/** Whether a table was distributed while the statement was planned. The same statement works immediately. */
export function isPlannedTooEarly(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === FEATURE_NOT_SUPPORTED &&
    PLANNED_TOO_EARLY.test(error.message)
  );
}

/** The pool's message, which has no code. */
export const POOL_IS_FULL = 'timeout exceeded when trying to connect';

/** Whether all connections of a pool were busy for too long, which is no failure of the server. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message === POOL_IS_FULL;
}

/** Whether a failure is due to the server's state rather than to the statement. */
export function isTransientFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isPlannedTooEarly(error)) return true;
  // One failure for each address of a host name.
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
