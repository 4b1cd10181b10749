import type { SqlDatabase } from '../sql-database.ts';

export const POOLED_BY_TRANSACTION =
  'Statements of one connection reach different sessions of PostgreSQL: DATABASE_URL leads through a pooler that does not run in session mode. Set its mode to session (PgBouncer: pool_mode = session), or connect to PostgreSQL directly';

/**
 * Throws behind a pooler in transaction mode, where another client could get this session's locks. Uses two
 * connections alternately, one of them in a transaction, to find out whether they share a session.
 */
export function requireSessions(first: SqlDatabase, openSecond: () => SqlDatabase): void {
  const second = openSecond();
  try {
    const [own, others] = [sessionOf(first), sessionOf(second)];
    const isOwn = () => sessionOf(first) === own && sessionOf(second) === others;
    second.beginReading();
    const isOwnBeside = isOwn();
    second.rollback();
    if (own === others || !isOwnBeside || !isOwn()) throw new Error(POOLED_BY_TRANSACTION);
  } finally {
    second.close();
  }
}

function sessionOf(database: SqlDatabase): number {
  return Number(database.prepare('select pg_backend_pid()').row()?.[0]);
}
