import { nextTick } from 'node:process';
import pg from 'pg';
import type { Rest } from '../../lib/work-queue/pieces.ts';
import type { SqlValue } from '../sql-database.ts';
import { isStoreLocked } from '../store-locked.ts';
import { isTransientFailure } from './failure.ts';
import { connectionUntil, endOfPatience, LOCK_TIMEOUT } from './patience.ts';
import { type QueryPostgres, statementFor } from './pipeline.ts';
import { readInPieces } from './read-in-pieces.ts';

/**
 * Runs reading work on one state of the store, whatever the number of its queries. Long work has a connection of its
 * own, and its running query ends when the signal is aborted; no work begins after that. Work is run again if the
 * failure of other work has ended the snapshot that they shared.
 */
export type InSnapshot = <T>(
  work: (query: QueryPostgres) => Promise<T>,
  isLong: boolean,
  waiter?: Waiter,
) => Promise<T>;

/** Who waits for work. */
export interface Waiter {
  /** Aborted when it waits no longer. */
  signal: AbortSignal | null;
  /** Called when long work has kept this thread busy for `ms`. More is read when it resolves. */
  rest: Rest | null;
  /** When it has waited long enough in queues, in milliseconds of `performance.now`. Omitted: it has not waited. */
  waitsUntil?: number | undefined;
}

/** Work that starts at the end of this turn of the event loop. */
interface Waiting {
  /** Runs the work and settles its promise. Throws if the work failed. */
  run(query: QueryPostgres, begun: Promise<unknown>): Promise<void>;
  reject(error: Error): void;
  isLong: boolean;
  waiter: Waiter;
  /** When it has waited long enough for a connection and a lock. */
  until: number;
}

/** Quick work that shares a snapshot. Its queries are answered one after the other, so more would wait too long. */
const BATCH_SIZE = 8;

const BEGIN = 'begin isolation level repeatable read read only';

const SET_LOCK_TIMEOUT = "select set_config('lock_timeout', $1, true)";

/** The code of every statement that follows a failure in a transaction. */
const IN_FAILED_TRANSACTION = '25P02';

const NOBODY: Waiter = { signal: null, rest: null };

interface Pools {
  pool: pg.Pool;
  cancelling: pg.Pool;
}

/**
 * Snapshots over a pool's connections. The work of one turn of the event loop shares one. Its queries of one turn go
 * out in one write, together with the begin of the transaction, and nothing waits for the commit. So a snapshot costs
 * a search no round trip. `cancelling`: a pool of its own, so that work can be ended also while all connections are busy.
 */
export function sharedSnapshots(pool: pg.Pool, cancelling: pg.Pool): InSnapshot {
  const pools = { pool, cancelling };
  let waiting: Waiting[] = [];

  function startAll(): void {
    const all = waiting;
    waiting = [];
    const quick = all.filter(({ isLong }) => !isLong);
    for (const long of all) if (long.isLong) void runTogether(pools, [long]);
    for (let from = 0; from < quick.length; from += BATCH_SIZE) {
      void runTogether(pools, quick.slice(from, from + BATCH_SIZE));
    }
  }

  return (work, isLong, waiter = NOBODY) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(startAll);
      waiting.push({
        isLong,
        waiter,
        until: endOfPatience(waiter.waitsUntil),
        reject,
        async run(query, begun) {
          const working = work(query);
          // It may fail before the transaction has begun.
          working.catch(() => {});
          await begun;
          resolve(await working);
        },
      });
    });
}

/**
 * Runs a batch in one transaction. The connection returns to the pool afterwards, and is dropped after a failure. Work that
 * nobody waits for any more has not failed: a client that hangs up again and again would cost a new connection each time.
 */
async function runTogether(pools: Pools, waiting: readonly Waiting[]): Promise<void> {
  const asked = stillWanted(waiting);
  if (asked.length === 0) return;
  let client: pg.PoolClient;
  try {
    client = await connectionUntil(pools.pool, firstEnd(asked));
  } catch (error) {
    for (const { reject } of asked) reject(asError(error));
    return;
  }
  const batch = stillWanted(asked);
  if (batch.length === 0) {
    client.release();
    return;
  }
  const query = corkedQueries(client);
  const begun = begin(query, firstEnd(batch));
  // Each piece of work awaits it and reports its failure.
  begun.catch(() => {});
  const { signal, rest } = batch.find(({ isLong }) => isLong)?.waiter ?? NOBODY;
  const ending = signal === null ? null : endWhenAborted(pools.cancelling, query, signal);
  const stopResting = rest === null ? null : readInPieces(client.connection.stream, rest, signal);
  const again: Waiting[] = [];
  let failure: Error | undefined;
  await Promise.all(
    batch.map(async (one) => {
      try {
        await one.run(ending?.query ?? query, begun);
      } catch (error) {
        failure ??= asError(error);
        if (batch.length > 1 && isEndedByOtherWork(error)) again.push(one);
        else one.reject(asError(error));
      }
    }),
  );
  stopResting?.();
  try {
    await ending?.stop();
    // Its queries all fail from then on, so none can follow the rollback.
    const isGivenUp = signal?.aborted === true && !isTransientFailure(failure);
    if (isGivenUp) failure = undefined;
    const end = isGivenUp ? 'rollback' : 'commit';
    if (failure === undefined) await query({ name: end, text: end, values: [], isLong: false });
  } catch (error) {
    failure = asError(error);
  }
  for (const one of again) {
    if (isStoreLocked(failure) && one.until <= performance.now()) one.reject(asError(failure));
    else void runTogether(pools, [one]);
  }
  client.release(failure);
}

/** When the first of the work has waited long enough. */
function firstEnd(batch: readonly Waiting[]): number {
  return Math.min(...batch.map(({ until }) => until));
}

/** Begins a snapshot whose queries wait for locks until then, if that is sooner than all of the pool do. */
async function begin(query: QueryPostgres, until: number): Promise<void> {
  const lockMs = Math.max(1, Math.ceil(until - performance.now()));
  const begun = [query({ name: 'begin', text: BEGIN, values: [], isLong: false })];
  if (lockMs < LOCK_TIMEOUT) {
    begun.push(
      query({ name: 'lock timeout', text: SET_LOCK_TIMEOUT, values: [String(lockMs)], isLong: false }),
    );
  }
  await Promise.all(begun);
}

/** The work that somebody still waits for. The rest is rejected. */
function stillWanted(batch: readonly Waiting[]): Waiting[] {
  return batch.filter(({ waiter: { signal }, reject }) => {
    if (!signal?.aborted) return true;
    reject(asError(signal.reason));
    return false;
  });
}

/**
 * Queries over a connection that end when a signal is aborted. Nothing is ended any more when `stop` has resolved. If it
 * rejects, the next query of the connection could still be.
 */
function endWhenAborted(
  cancelling: pg.Pool,
  query: QueryPostgres,
  signal: AbortSignal,
): { query: QueryPostgres; stop(): Promise<void> } {
  const backend = query({ name: 'backend', text: 'select pg_backend_pid()', values: [], isLong: false });
  backend.catch(() => {});
  let ended: Promise<unknown> = Promise.resolve();
  const end = () => {
    ended = backend.then(([row]) => cancelling.query('select pg_cancel_backend($1)', row));
    ended.catch(() => {});
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    async query(next) {
      signal.throwIfAborted();
      return query(next);
    },
    async stop() {
      signal.removeEventListener('abort', end);
      await ended;
    },
  };
}

/** Queries over a connection: those of one turn of the event loop go out in one write. */
function corkedQueries(client: pg.PoolClient): QueryPostgres {
  const { stream } = client.connection;
  let isCorked = false;

  function cork(): void {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    // The next tick comes after the continuations of all promises that are settled now.
    queueMicrotask(() =>
      nextTick(() => {
        isCorked = false;
        stream.uncork();
      }),
    );
  }

  return (statement) =>
    new Promise((resolve, reject) => {
      cork();
      client.query<SqlValue[]>(statementFor(client, statement), (error, result) => {
        // Despite its type, the error is null on success.
        const failed = error as Error | null;
        if (failed === null) resolve(result.rows);
        else reject(failed);
      });
    });
}

function isEndedByOtherWork(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === IN_FAILED_TRANSACTION;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
