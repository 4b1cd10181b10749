import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { PostgresAddress } from '../store-address.ts';
import { isStoreLocked } from '../store-locked.ts';
import type { ServerSettings } from './client.ts';
import { isPoolFull, isTransientFailure } from './failure.ts';
import type { QueryPostgres } from './pipeline.ts';
import { replicaLag } from './replica-lag.ts';
import { type PostgresConnections, type PostgresServer, postgresServer } from './server.ts';
import type { Waiter } from './snapshot.ts';

/** Between two looks which replicas lag, in milliseconds. */
const CHECK_LAG_EVERY = 2_000;

/** A server whose connection fails is skipped for this long, in milliseconds. */
const SKIP_AFTER_FAILURE = 5_000;

/** The departure days of the packages that are read, and the months of the price blocks; all of them, or none. */
export type RowsRead = 'all' | 'none' | readonly number[];

/** What reading needs where the rows are on several nodes. */
export interface ReadGuard {
  /** Throws `StoreUnavailable` if some of these rows cannot be reached. */
  require(rows: RowsRead): void;
  /** Runs a read, and again if it failed for a reason that does not concern it. */
  run<T>(read: () => Promise<T>): Promise<T>;
  /** See `ReadPool.readWhole`. */
  inSnapshot<T>(
    server: PostgresConnections,
    rows: readonly number[],
    work: (query: QueryPostgres) => Promise<T>,
    isLong: boolean,
    waiter?: Waiter,
  ): Promise<T>;
  stop(): void;
}

/** All rows are on each server. */
const UNGUARDED: ReadGuard = {
  require() {},
  run: (read) => read(),
  inSnapshot: (server, _rows, work, isLong, waiter) => server.inSnapshot(work, isLong, waiter),
  stop() {},
};

/** The servers of one store, for reading. All of it throws `StoreUnavailable` if the rows cannot be reached. */
export interface ReadPool {
  /** Reads from a replica, each in turn; from another server if that one fails, and from the primary if all do. */
  read<T>(rows: RowsRead, work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Reads what is no package from the primary, which has the newest state; from a replica if it fails. */
  readNewest<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /**
   * Reads in one snapshot that has the whole of each import, or nothing of it. Rows that are not known before, an empty list,
   * are required in the work.
   */
  readWhole<T>(
    rows: readonly number[],
    isLong: boolean,
    waiter: Waiter,
    work: (query: QueryPostgres) => Promise<T>,
  ): Promise<T>;
  /** For rows that become known in the work. */
  requireRows(rows: RowsRead): void;
  /** Asks this guard from now on. */
  guardWith(guard: ReadGuard): void;
  /** Fails all work that runs, with `StoreUnavailable`, and drops all connections. */
  abandon(): void;
  close(): Promise<void>;
}

/** Connects when first used. Throws `StoreUnavailable` if no server responds. */
export function readPool({ url, readUrls }: PostgresAddress, settings: ServerSettings = {}): ReadPool {
  const primary = postgresServer(url, settings);
  const replicas = readUrls.map((one) => postgresServer(one, settings));
  const markLagging = replicaLag(primary, replicas);
  const lagTimer = setInterval(() => markLagging(performance.now()), CHECK_LAG_EVERY).unref();
  let turn = 0;
  let guard = UNGUARDED;
  const read: ReadPool['read'] = (rows, work) =>
    guard.run(() => {
      turn = (turn + 1) % Math.max(1, replicas.length);
      const servers = [...replicas.slice(turn), ...replicas.slice(0, turn), primary];
      return readFromFirst(servers, (server) => {
        guard.require(rows);
        return work(server);
      });
    });
  return {
    read,
    readNewest: (work) => guard.run(() => readFromFirst([primary, ...replicas], work)),
    readWhole: (rows, isLong, waiter, work) =>
      read(rows, (server) => guard.inSnapshot(server, rows, work, isLong, waiter)),
    requireRows: (rows) => guard.require(rows),
    guardWith(next) {
      guard = next;
    },
    abandon() {
      for (const server of [primary, ...replicas]) server.abandon();
    },
    async close() {
      guard.stop();
      clearInterval(lagTimer);
      await Promise.all([primary, ...replicas].map((server) => server.stop()));
    },
  };
}

/**
 * Reads from the first server that can be reached. One that is known to be silent is not asked: a probe would keep everyone
 * waiting for as long as it may take, and its heartbeat finds out that it is back.
 */
async function readFromFirst<T>(
  servers: readonly PostgresServer[],
  work: (server: PostgresConnections) => Promise<T>,
): Promise<T> {
  let failure: unknown = null;
  for (const server of healthyFirst(servers)) {
    if (server.isSilent) continue;
    try {
      const result = await server.run(work);
      server.skippedUntil = 0;
      return result;
    } catch (error) {
      if (!isTransientFailure(error)) throw error;
      failure = error;
      // A replica replays the locks of whole tables, and whoever waits has waited long enough.
      if (isStoreLocked(error)) break;
      if (!isPoolFull(error)) server.skippedUntil = performance.now() + SKIP_AFTER_FAILURE;
    }
  }
  throw new StoreUnavailable({ cause: failure });
}

/** A server that lags or has just failed is still better than none, so it is tried last. */
function healthyFirst(servers: readonly PostgresServer[]): PostgresServer[] {
  const now = performance.now();
  const isHealthy = (server: PostgresServer) =>
    server.skippedUntil <= now && !server.isLagging && !server.isSilent;
  return [...servers.filter(isHealthy), ...servers.filter((server) => !isHealthy(server))];
}
