import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { PostgresAddress } from '../store-address.ts';
import { isStoreLocked } from '../store-locked.ts';
import type { ServerSettings } from './client.ts';
import { isPoolFull, isTransientFailure } from './failure.ts';
import type { QueryPostgres } from './pipeline.ts';
import { replicaLag } from './replica-lag.ts';
import { type PostgresConnections, type PostgresServer, postgresServer } from './server.ts';
import type { Waiter } from './snapshot.ts';

const CHECK_LAG_EVERY_MS = 2_000;

/** How long a server is skipped after its connection failed. */
const SKIP_AFTER_FAILURE_MS = 5_000;

/** The departure days of the packages that are read, and the months of the price blocks; all of them, or none. */
export type RowsRead = 'all' | 'none' | readonly number[];

/** Guards reads of rows that are on several nodes. */
export interface ReadGuard {
  /** Throws `StoreUnavailable` if some of these rows cannot be reached. */
  require(rows: RowsRead): void;
  /** Runs a read, and retries it if it failed for an unrelated reason. */
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

/** The servers of one store, for reading. Every method throws `StoreUnavailable` if the rows cannot be reached. */
export interface ReadPool {
  /** Reads from the replicas round-robin, then from other servers if one fails, and last from the primary. */
  read<T>(rows: RowsRead, work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Reads anything but packages from the primary, which has the newest state; from a replica if it fails. */
  readNewest<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Reads in one snapshot that has each import as a whole or not at all. With 'none', the work calls `requireRows`. */
  readWhole<T>(
    rows: readonly number[],
    isLong: boolean,
    waiter: Waiter,
    work: (query: QueryPostgres) => Promise<T>,
  ): Promise<T>;
  /** For rows that become known during the work. */
  requireRows(rows: RowsRead): void;
  /** Uses this guard from now on. */
  guardWith(guard: ReadGuard): void;
  /** Fails all running work with `StoreUnavailable`, and drops all connections. */
  abandon(): void;
  close(): Promise<void>;
}

/** Connects when first used. Throws `StoreUnavailable` if no server responds. */
export function readPool({ url, readUrls }: PostgresAddress, settings: ServerSettings = {}): ReadPool {
  const primary = postgresServer(url, settings);
  const replicas = readUrls.map((one) => postgresServer(one, settings));
  const markLagging = replicaLag(primary, replicas);
  const lagTimer = setInterval(() => markLagging(performance.now()), CHECK_LAG_EVERY_MS).unref();
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

/** Reads from the first server that can be reached. Silent servers are skipped until their heartbeat returns. */
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
      // The table is locked on the replicas too, and there is no time for another wait.
      if (isStoreLocked(error)) break;
      if (!isPoolFull(error)) server.skippedUntil = performance.now() + SKIP_AFTER_FAILURE_MS;
    }
  }
  throw new StoreUnavailable({ cause: failure });
}

/** Servers that lag or have just failed are tried last. */
function healthyFirst(servers: readonly PostgresServer[]): PostgresServer[] {
  const now = performance.now();
  const isHealthy = (server: PostgresServer) =>
    server.skippedUntil <= now && !server.isLagging && !server.isSilent;
  return [...servers.filter(isHealthy), ...servers.filter((server) => !isHealthy(server))];
}
