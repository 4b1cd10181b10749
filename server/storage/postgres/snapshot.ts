import { nextTick } from 'node:process';
import pg from 'pg';
import type { SqlValue } from '../sql-database.ts';
import type { AskPostgres } from './pipeline.ts';

/**
 * Does reading work on one state of the store, however many questions it asks. Work that may take long has a
 * connection for itself. Work is done anew where another's failure has ended the state that they shared.
 */
export type InSnapshot = <T>(work: (ask: AskPostgres) => Promise<T>, isLong: boolean) => Promise<T>;

/** Work that waits for this turn of the event loop to end. */
interface Waiting {
  /** Does the work, and tells whoever waits for it. Throws where it has to be done anew. */
  run(ask: AskPostgres, begun: Promise<unknown>): Promise<void>;
  refuse(error: Error): void;
  isLong: boolean;
}

/** Quick work that shares a state and a connection. Answers come one after the other, so more would wait too long. */
const MOST_TOGETHER = 8;

const BEGIN = 'begin isolation level repeatable read read only';

/** What a server says to everything that follows a failure in a transaction. */
const ENDED_BY_A_FAILURE = '25P02';

/**
 * Snapshots over a pool's connections. Work of one turn of the event loop shares one, and what it asks in one turn goes
 * out in one write, the beginning of the transaction with it; nobody waits for its end. So a state of its own costs a
 * search no journey.
 */
export function snapshotsTogether(pool: pg.Pool): InSnapshot {
  let waiting: Waiting[] = [];

  function startAll(): void {
    const all = waiting;
    waiting = [];
    const quick = all.filter(({ isLong }) => !isLong);
    for (const long of all) if (long.isLong) void share(pool, [long]);
    for (let from = 0; from < quick.length; from += MOST_TOGETHER) {
      void share(pool, quick.slice(from, from + MOST_TOGETHER));
    }
  }

  return (work, isLong) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(startAll);
      waiting.push({
        isLong,
        refuse: reject,
        async run(ask, begun) {
          const working = work(ask);
          try {
            await begun;
          } catch (error) {
            working.catch(() => {});
            throw error;
          }
          resolve(await working);
        },
      });
    });
}

/** One transaction for all of them. Its connection goes back to the pool afterwards, and is dropped if anything failed. */
async function share(pool: pg.Pool, together: readonly Waiting[]): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    for (const { refuse } of together) refuse(asError(error));
    return;
  }
  const ask = askInOneWriteATurn(client);
  const begun = ask({ name: 'begin', text: BEGIN, values: [], isLong: false });
  // Whoever works in it is told.
  begun.catch(() => {});
  const anew: Waiting[] = [];
  let failure: Error | undefined;
  await Promise.all(
    together.map(async (one) => {
      try {
        await one.run(ask, begun);
      } catch (error) {
        failure ??= asError(error);
        if (together.length > 1 && isEndedByAnother(error)) anew.push(one);
        else one.refuse(asError(error));
      }
    }),
  );
  for (const one of anew) void share(pool, [one]);
  try {
    if (failure === undefined) await ask({ name: 'commit', text: 'commit', values: [], isLong: false });
  } catch (error) {
    failure = asError(error);
  }
  client.release(failure);
}

/** Asks over a connection: what is asked before this turn ends goes out in one write. */
function askInOneWriteATurn(client: pg.PoolClient): AskPostgres {
  const { stream } = client.connection;
  let isCorked = false;

  function cork(): void {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    // The next tick comes after all promises that are settled now have been followed.
    queueMicrotask(() =>
      nextTick(() => {
        isCorked = false;
        stream.uncork();
      }),
    );
  }

  return ({ name, text, values }) =>
    new Promise((resolve, reject) => {
      cork();
      client.query<SqlValue[]>({ name, text, values: [...values], rowMode: 'array' }, (error, result) => {
        // The types say otherwise, but there is no error where all went well.
        const failed = error as Error | null;
        if (failed === null) resolve(result.rows);
        else reject(failed);
      });
    });
}

function isEndedByAnother(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === ENDED_BY_A_FAILURE;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
