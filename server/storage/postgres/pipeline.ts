import pg from 'pg';
import type { SqlInput, SqlValue } from '../sql-database.ts';

/** A statement that reads, by the name under which each connection keeps its plan. */
export interface PostgresQuestion {
  name: string;
  text: string;
  values: readonly SqlInput[];
  /** It may take long: no other waits behind it. */
  isLong: boolean;
}

/** Asks a server; rows are arrays. */
export type AskPostgres = (question: PostgresQuestion) => Promise<SqlValue[][]>;

/** A question that waits for this turn of the event loop to end. */
interface Waiting {
  question: PostgresQuestion;
  resolve(rows: SqlValue[][]): void;
  reject(error: Error): void;
}

/** Quick questions that travel together. Their answers come one after the other, so more would wait too long. */
const MOST_TOGETHER = 8;

/** A pool of connections that take questions before they have answered the last; lent out they serve as any do. */
export function pipelinePool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, pipeline: true });
  // Whoever waits for an answer is told; a connection that breaks while it is lent must not end the process too.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Asks over a pool's connections. What is asked in one turn of the event loop goes out in one write, since on a busy
 * server waking the database costs more than the answer; a question that comes alone goes alone, and at once.
 */
export function askTogether(pool: pg.Pool): AskPostgres {
  let waiting: Waiting[] = [];

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    const quick = all.filter(({ question }) => !question.isLong);
    for (const long of all) if (long.question.isLong) void send(pool, [long]);
    for (let from = 0; from < quick.length; from += MOST_TOGETHER) {
      void send(pool, quick.slice(from, from + MOST_TOGETHER));
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ question, resolve, reject });
    });
}

/** Sends questions over one connection. It goes back to the pool once all are answered, and is dropped if one failed. */
async function send(pool: pg.Pool, together: readonly Waiting[]): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    for (const { reject } of together) reject(asError(error));
    return;
  }
  let unanswered = together.length;
  let failure: Error | undefined;
  const { stream } = client.connection;
  stream.cork();
  for (const { question, resolve, reject } of together) {
    const { name, text, values } = question;
    client.query<SqlValue[]>({ name, text, values: [...values], rowMode: 'array' }, (error, result) => {
      // The types say otherwise, but there is no error where all went well.
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

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
