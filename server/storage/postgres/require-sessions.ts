import type pg from 'pg';

export const POOLED_BY_TRANSACTION =
  'Statements of one connection reach different sessions of PostgreSQL: DATABASE_URL leads through a pooler that does not run in session mode. Set its mode to session (PgBouncer: pool_mode = session), or connect to PostgreSQL directly';

/** A connection until it is released. */
export interface HeldClient {
  client: pg.ClientBase;
  release(): void;
}

/** One connection, as seen by the check of its session. */
export interface SessionClient {
  begin(): Promise<unknown>;
  rollback(): Promise<unknown>;
  /** Names the session that runs this statement. */
  session(): Promise<unknown>;
}

/** Throws behind a pooler in transaction mode, where another client could get this session's locks. */
export async function requireSessions(connect: () => Promise<HeldClient>): Promise<void> {
  const held: HeldClient[] = [];
  try {
    for (let nth = 0; nth < 2; nth += 1) held.push(await connect());
    const [first, second] = held.map(
      ({ client }): SessionClient => ({
        begin: () => client.query('begin read only'),
        rollback: () => client.query('rollback'),
        session: async () => (await client.query('select pg_backend_pid() as pid')).rows[0]?.pid,
      }),
    );
    if (first !== undefined && second !== undefined) await requireOwnSession(first, second);
  } finally {
    for (const { release } of held) release();
  }
}

/** Uses two connections alternately, one of them in a transaction, to find out whether they share a session. */
export async function requireOwnSession(first: SessionClient, second: SessionClient): Promise<void> {
  const [own, others] = [await first.session(), await second.session()];
  const isOwn = async () => (await first.session()) === own && (await second.session()) === others;
  await second.begin();
  const isOwnBeside = await isOwn();
  await second.rollback();
  if (own === others || !isOwnBeside || !(await isOwn())) throw new Error(POOLED_BY_TRANSACTION);
}
