import type pg from 'pg';
import { POOL_IS_FULL } from './failure.ts';

/**
 * How long a query waits for a lock, in milliseconds. Reading waits for those that take a whole table only, such as a
 * `vacuum full` or another version's migration, and they may last for minutes.
 */
export const LOCK_TIMEOUT = 1_500;

/** How long reading waits for a connection and for a lock together, in milliseconds. */
const LONGEST_WAIT = 2_000;

/** Whoever has waited long in queues before may still wait so long, in milliseconds: mostly, a connection is free soon. */
const LEAST_WAIT = 300;

/**
 * Until when work that comes now waits for a connection and a lock, in milliseconds of `performance.now`. `waitsUntil`: when
 * its caller has waited long enough in queues.
 */
export function endOfPatience(waitsUntil = Number.POSITIVE_INFINITY): number {
  const now = performance.now();
  return Math.max(now + LEAST_WAIT, Math.min(waitsUntil, now + LONGEST_WAIT));
}

/** A connection of the pool. Rejects, as the pool does when it is full, if there is none at `until`. */
export async function connectionUntil(pool: pg.Pool, until: number): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    reject(new Error(POOL_IS_FULL));
    connecting.then(
      (client) => client.release(),
      () => {},
    );
  };
  const timer = setTimeout(giveUp, Math.max(0, until - performance.now()));
  try {
    return await Promise.race([connecting, late]);
  } finally {
    clearTimeout(timer);
  }
}
