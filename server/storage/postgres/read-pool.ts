import type pg from 'pg';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { PostgresAddress } from '../store-address.ts';
import { isStoreLocked } from '../store-locked.ts';
import { type ServerRole, serverName } from './check-server.ts';
import type { ServerSettings } from './client.ts';
import { isPoolFull, isTransientFailure } from './failure.ts';
import { replicaLag } from './replica-lag.ts';
import { type PostgresConnections, type PostgresServer, postgresServer } from './server.ts';
import type { Waiter } from './snapshot.ts';
import type { QueryPostgres } from './statements.ts';
import type { UnusableServer } from './unusable-server.ts';

const CHECK_LAG_EVERY_MS = 2_000;

/** How long a server is skipped after a failed connection. */
const SKIP_AFTER_FAILURE_MS = 5_000;

/** Which rows are read, for Citus: all, none, or those of some departure days (packages) or months (blocks). */
export type RowsRead = 'all' | 'none' | readonly number[];

/** On Citus, guards reads of rows that are on several nodes. */
export interface ReadGuard {
  /** Throws `StoreUnavailable` if any of these rows cannot be reached. */
  require(rows: RowsRead): void;
  /** Runs a read. Retries it if a worker that it does not need has failed, or a table was being distributed. */
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

/** Without Citus, each server has all rows, so there is nothing to guard. */
const UNGUARDED: ReadGuard = {
  require() {},
  run: (read) => read(),
  inSnapshot: (server, _rows, work, isLong, waiter) => server.inSnapshot(work, isLong, waiter),
  stop() {},
};

/** The servers of one store, for reading. Every method throws `StoreUnavailable` if the rows cannot be reached. */
export interface ReadPool {
  /** Reads from the replicas round-robin. If one fails, tries the other replicas and last the primary. */
  read<T>(rows: RowsRead, work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Reads anything but packages from the primary, which has the latest data; if it fails, from a replica. */
  readNewest<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Reads in one snapshot, which has each import completely or not at all. For empty `rows`, see `requireRows`. */
  readWhole<T>(
    rows: readonly number[],
    isLong: boolean,
    waiter: Waiter,
    work: (query: QueryPostgres) => Promise<T>,
  ): Promise<T>;
  /** Throws `StoreUnavailable` if rows that were chosen during the work cannot be reached. */
  requireRows(rows: RowsRead): void;
  /** Why servers cannot be used, by their names. */
  faults(): ReadonlyMap<string, UnusableServer>;
  /** Replaces the guard. */
  guardWith(guard: ReadGuard): void;
  /** Fails all running work with `StoreUnavailable`, and drops all connections. */
  abandon(): void;
  close(): Promise<void>;
}

/**
 * Connects on first use. Throws `StoreUnavailable` if no server responds. `check` rejects connections to servers that
 * must not be used.
 */
export function readPool(
  { url, readUrls }: PostgresAddress,
  settings: ServerSettings = {},
  check: (client: pg.ClientBase, role: ServerRole) => Promise<unknown> = async () => {},
): ReadPool {
  const open = (role: ServerRole) => postgresServer(role.url, settings, (client) => check(client, role));
  const primary = open({ url, replicaOf: null, isUpgraded: false });
  const replicas = readUrls.map((one) => open({ url: one, replicaOf: url, isUpgraded: false }));
  const names = [serverName(null), ...readUrls.map((_, at) => serverName(at))];
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
    faults: () =>
      new Map(
        [primary, ...replicas].flatMap(({ fault }, at) => (fault === null ? [] : [[names[at] ?? '', fault]])),
      ),
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

/** Reads from the first server that responds. Skips silent ones until their heartbeat returns. */
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
      // Replicas have the same table locked, and there is no time for another wait.
      if (isStoreLocked(error)) break;
      if (!isPoolFull(error)) server.skippedUntil = performance.now() + SKIP_AFTER_FAILURE_MS;
    }
  }
  throw new StoreUnavailable({ cause: failure });
}

/** Sorts servers that lag or have just failed to the end. */
function healthyFirst(servers: readonly PostgresServer[]): PostgresServer[] {
  const now = performance.now();
  const isHealthy = (server: PostgresServer) =>
    server.skippedUntil <= now && !server.isLagging && !server.isSilent;
  return [...servers.filter(isHealthy), ...servers.filter((server) => !isHealthy(server))];
}
