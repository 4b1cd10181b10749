import pg from 'pg';
import type { SqlInput, SqlValue } from '../sql-database.ts';
import { SettledClient } from './client.ts';
import { connectionUntil, endOfPatience } from './patience.ts';

/** A reading statement, by the name under which each connection keeps its plan. */
export interface PostgresQuery {
  name: string;
  text: string;
  values: readonly SqlInput[];
  /** It may take long, so no other query is sent behind it. */
  isLong: boolean;
}

/** Queries a server; rows are arrays. */
export type QueryPostgres = (query: PostgresQuery) => Promise<SqlValue[][]>;

/** A query that is sent at the end of this turn of the event loop. */
interface Waiting {
  query: PostgresQuery;
  resolve(rows: SqlValue[][]): void;
  reject(error: Error): void;
}

/** Quick queries in one batch. They are answered one after the other, so a longer batch would wait too long. */
const BATCH_SIZE = 8;

/** A pool of pipelining connections; a connection that is checked out behaves as usual. */
export function pipelinePool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ Client: SettledClient, ...config, pipeline: true });
  // Queries fail by their own errors; a connection that breaks while checked out must not end the process too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Sends the queries of one turn of the event loop in one write: on a busy server waking the database costs more than
 * the answer. A single query is sent at once.
 */
export function batchQueries(pool: pg.Pool): QueryPostgres {
  let waiting: Waiting[] = [];

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    const quick = all.filter(({ query }) => !query.isLong);
    for (const long of all) if (long.query.isLong) void send(pool, [long]);
    for (let from = 0; from < quick.length; from += BATCH_SIZE) {
      void send(pool, quick.slice(from, from + BATCH_SIZE));
    }
  }

  return (query) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ query, resolve, reject });
    });
}

/** Sends a batch over one connection, which returns to the pool after the last answer and is dropped after a failure. */
async function send(pool: pg.Pool, batch: readonly Waiting[]): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await connectionUntil(pool, endOfPatience());
  } catch (error) {
    for (const { reject } of batch) reject(asError(error));
    return;
  }
  let unanswered = batch.length;
  let failure: Error | undefined;
  const { stream } = client.connection;
  stream.cork();
  for (const { query, resolve, reject } of batch) {
    client.query<SqlValue[]>(statementFor(client, query), (error, result) => {
      // Despite its type, the error is null on success.
      const failed = error as Error | null;
      if (failed === null) resolve(result.rows);
      else reject(failed);
      failure ??= failed ?? undefined;
      unanswered -= 1;
      if (unanswered === 0) client.release(failure);
    });
  }
  stream.uncork();
}

/** What the client keeps of its connection, which its types do not have. */
interface NamesOnTheWay {
  /** The texts of statements that were sent to be planned, by name, until the server has answered. */
  submittedNamedStatements: Record<string, string | undefined>;
}

/**
 * A statement as it may be sent behind others. While the first of its name is on the way, the server may still refuse to
 * plan it, and would then know no statement of that name. So those behind it are sent whole.
 */
export function statementFor(
  { connection }: pg.PoolClient,
  { name, text, values }: PostgresQuery,
): pg.QueryArrayConfig<SqlInput[]> {
  const { submittedNamedStatements } = connection as unknown as NamesOnTheWay;
  const statement = { text, values: [...values], rowMode: 'array' as const };
  return submittedNamedStatements[name] === undefined ? { ...statement, name } : statement;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
