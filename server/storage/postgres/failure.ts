/**
 * Failures of a connection or of the whole server, by SQLSTATE or by Node's own codes: no connection (08), undone by
 * a conflict (40), out of disk, memory or connections (53), shutting down or starting up (57P), a primary that has
 * become a replica (25006), a transaction that stood still for too long (25P03), and a lock waited for too long (55P03).
 */
const PASSING = /^(08...|40...|53...|57P0[1-5]|25006|25P03|55P03|E(?!RR_)[A-Z_]+)$/;

/** What the client says, without a code, when a connection breaks or never comes about. */
const BROKEN = /terminated|timeout|not queryable|closed|socket/i;

/** Whether a failure is the server's state rather than the statement's fault. */
export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Several addresses of one name, each with its own failure.
  if (error instanceof AggregateError) return error.errors.every(isPassingFailure);
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? PASSING.test(code) : BROKEN.test(error.message);
}
