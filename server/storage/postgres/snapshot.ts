import pg from 'pg';
import { type Caller, INTERNAL_CALLER } from '../../lib/caller.ts';
import { isStoreLocked } from '../store-locked.ts';
import { dropClient } from './client.ts';
import { isPoolFull, POOL_IS_FULL } from './failure.ts';
import { type QueryPostgres, queriesOver } from './statements.ts';
import { asUnusable } from './unusable-server.ts';

export type Waiter = Pick<Caller, 'signal' | 'deadline'>;

/**
 * Runs read-only work in one snapshot. Long work has its own connection, which an abort closes, so that the
 * server ends the query. Abandoned work does not start. If other work in a shared snapshot fails, the rest is
 * retried.
 */
export type InSnapshot = <T>(
  work: (query: QueryPostgres) => Promise<T>,
  isLong: boolean,
  waiter?: Waiter,
) => Promise<T>;

interface Waiting {
  /** Runs the work and settles its promise. Rejects if the work failed. */
  run(query: QueryPostgres, begun: Promise<unknown>): Promise<void>;
  reject(error: unknown): void;
  isLong: boolean;
  waiter: Waiter;
}

/** The most pieces of quick work in one snapshot. Responses come in order, so further work would wait too long. */
const MAX_BATCH = 8;

const BEGIN = { text: 'begin isolation level repeatable read read only', values: [] };
const COMMIT = { text: 'commit', values: [] };
const SET_LOCK_TIMEOUT = "select set_config('lock_timeout', $1, true)";

/** How long a query waits for a lock. Reads wait only for table locks, such as a `vacuum full`. */
export const LOCK_TIMEOUT_MS = 1_500;

/** PostgreSQL's code for every statement after a failure in a transaction. */
const IN_FAILED_TRANSACTION = '25P02';

/**
 * Snapshots over a pool's connections. Work of one event-loop turn shares a snapshot. Its queries are sent
 * together with `begin`, and nothing waits for the commit, so a snapshot costs no round trip.
 */
export function sharedSnapshots(pool: pg.Pool): InSnapshot {
  let waiting: Waiting[] = [];

  function startAll(): void {
    const all = waiting;
    waiting = [];
    const quick = all.filter(({ isLong }) => !isLong);
    for (const long of all) if (long.isLong) void runTogether(pool, [long]);
    for (let from = 0; from < quick.length; from += MAX_BATCH) {
      void runTogether(pool, quick.slice(from, from + MAX_BATCH));
    }
  }

  return (work, isLong, waiter = INTERNAL_CALLER) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(startAll);
      waiting.push({
        isLong,
        waiter,
        reject,
        async run(query, begun) {
          const working = work(query);
          // The work may fail before the transaction has begun.
          working.catch(() => {});
          await begun;
          resolve(await working);
        },
      });
    });
}

/** Runs a batch in one transaction. Then returns the connection to the pool, or closes it after a failure. */
async function runTogether(pool: pg.Pool, waiting: readonly Waiting[]): Promise<void> {
  if (stillWanted(waiting).length === 0) return;
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    const failure = isPoolFull(error) ? error : asUnusable(error, pool.options.connectionString ?? '');
    for (const { reject } of waiting) reject(failure);
    return;
  }
  const batch = stillWanted(waiting);
  if (batch.length === 0) {
    client.release();
    return;
  }
  const query = queriesOver(client);
  const begun = begin(query, Math.min(...batch.map(({ waiter }) => waiter.deadline.leftMs)));
  // Each work in the batch awaits `begun` and reports its failure.
  begun.catch(() => {});
  const signal = batch.find(({ isLong }) => isLong)?.waiter.signal;
  const close = () => dropClient(client);
  signal?.addEventListener('abort', close, { once: true });
  const again: Waiting[] = [];
  let failure: unknown;
  await Promise.all(
    batch.map(async (one) => {
      try {
        await one.run(query, begun);
      } catch (error) {
        failure ??= error;
        if (batch.length > 1 && isEndedByOtherWork(error)) again.push(one);
        else one.reject(signal?.aborted ? signal.reason : error);
      }
    }),
  );
  try {
    if (failure === undefined) await query(COMMIT);
  } catch (error) {
    failure = error;
  }
  signal?.removeEventListener('abort', close);
  client.release(failure !== undefined);
  for (const one of again) {
    // The other work has waited for the same lock, so a retry would take too long.
    if (isStoreLocked(failure)) one.reject(failure);
    else void runTogether(pool, [one]);
  }
}

/** Begins a snapshot. Its queries wait at most `ms` for locks, or the pool's limit if that is shorter. */
async function begin(query: QueryPostgres, ms: number): Promise<void> {
  const begun = [query(BEGIN)];
  if (ms < LOCK_TIMEOUT_MS) {
    const values = [String(Math.max(1, Math.ceil(ms)))];
    begun.push(query({ text: SET_LOCK_TIMEOUT, values }));
  }
  await Promise.all(begun);
}

/** Rejects abandoned work and returns the rest. */
function stillWanted(batch: readonly Waiting[]): Waiting[] {
  return batch.filter(({ waiter: { signal, deadline }, reject }) => {
    if (signal.aborted) reject(signal.reason);
    else if (deadline.hasPassed) reject(new Error(POOL_IS_FULL));
    else return true;
    return false;
  });
}

function isEndedByOtherWork(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === IN_FAILED_TRANSACTION;
}
