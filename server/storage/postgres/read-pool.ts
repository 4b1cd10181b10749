import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { PostgresAddress } from '../store-address.ts';
import { isStoreLocked } from '../store-locked.ts';
import { isPlannedTooEarly, isPoolFull, isTransientFailure } from './failure.ts';
import { watchReplicaLag } from './replica-lag.ts';
import { type PostgresConnections, type PostgresServer, postgresServer } from './server.ts';

/** A server whose connection fails is skipped for this long, in milliseconds. */
const SKIP_AFTER_FAILURE = 5_000;

/** The servers of one store, for reading. */
export interface ReadPool {
  /** Reads from a replica, each in turn; from another server if that one fails, and from the primary if all do. */
  read<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Reads from the primary, which has the newest state; from a replica if it fails. */
  readNewest<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Fails all work that runs, with `StoreUnavailable`, and drops all connections. */
  abandon(): void;
  close(): Promise<void>;
}

/** Connects when first used. Throws `StoreUnavailable` if no server responds. */
export function readPool({ url, readUrls }: PostgresAddress): ReadPool {
  const primary = postgresServer(url);
  const replicas = readUrls.map(postgresServer);
  const lag = replicas.length === 0 ? null : watchReplicaLag(primary, replicas);
  let turn = 0;
  return {
    read(work) {
      turn = (turn + 1) % Math.max(1, replicas.length);
      return readFromFirst([...replicas.slice(turn), ...replicas.slice(0, turn), primary], work);
    },
    readNewest: (work) => readFromFirst([primary, ...replicas], work),
    abandon() {
      for (const server of [primary, ...replicas]) server.abandon();
    },
    async close() {
      lag?.stop();
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
      const result = await runPlannedAgain(server, work);
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

/** All tables are distributed in one transaction, so this happens to a search once. */
async function runPlannedAgain<T>(
  server: PostgresServer,
  work: (server: PostgresConnections) => Promise<T>,
): Promise<T> {
  try {
    return await server.run(work);
  } catch (error) {
    if (!isPlannedTooEarly(error)) throw error;
    return server.run(work);
  }
}

/** A server that lags or has just failed is still better than none, so it is tried last. */
function healthyFirst(servers: readonly PostgresServer[]): PostgresServer[] {
  const now = performance.now();
  const isHealthy = (server: PostgresServer) =>
    server.skippedUntil <= now && !server.isLagging && !server.isSilent;
  return [...servers.filter(isHealthy), ...servers.filter((server) => !isHealthy(server))];
}
