import type pg from 'pg';
import { connectionTo } from './client.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { batchQueries, pipelinePool, type QueryPostgres } from './pipeline.ts';
import { type InSnapshot, sharedSnapshots } from './snapshot.ts';

/** Connections to each server. A search uses one for a few milliseconds. */
const CONNECTIONS = 10;

/** A query that takes longer fails, in milliseconds; another server is tried. */
const QUERY_TIMEOUT = 15_000;

/** How long a snapshot may be idle before the server ends it, in milliseconds: an open one holds back vacuum. */
const SNAPSHOT_IDLE_TIMEOUT = 30_000;

/** The ways to query a server. */
export interface PostgresConnections {
  /** For a single query. */
  query: QueryPostgres;
  /** For queries that must see the store in one state. */
  inSnapshot: InSnapshot;
}

/** A server of the store, with its connections. */
export interface PostgresServer extends PostgresConnections {
  pool: pg.Pool;
  /** Skipped until then unless no other server is left; milliseconds of `performance.now`. */
  skippedUntil: number;
  /** A replica that is too far behind. */
  isLagging: boolean;
  /** Did not respond to the last heartbeat. */
  isSilent: boolean;
  /** Sends a heartbeat now. */
  isBack(): Promise<boolean>;
  /** Runs work, and fails it as soon as the server stops responding. */
  run<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Connects when first used. */
export function postgresServer(url: string): PostgresServer {
  const { pool, dropConnections } = openPool(url);
  /** Rejects the work that waits for this server. */
  const waiting = new Set<(reason: Error) => void>();
  const heartbeat = watchHeartbeat(url, (isResponding) => {
    server.isSilent = !isResponding;
    if (!isResponding) abandon();
  });

  /** Fails all work and drops all connections, because the network may have lost them. */
  function abandon(): void {
    for (const reject of waiting) reject(new Error('Connection terminated: the server stopped responding'));
    dropConnections();
  }

  const server: PostgresServer = {
    pool,
    query: batchQueries(pool),
    inSnapshot: sharedSnapshots(pool),
    skippedUntil: 0,
    isLagging: false,
    isSilent: false,
    isBack: () => heartbeat.beat(),
    async run(work) {
      const { promise: abandoned, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      try {
        return await Promise.race([work(server), abandoned]);
      } finally {
        waiting.delete(reject);
      }
    },
    async stop() {
      const ended = pool.end();
      if (server.isSilent) abandon();
      await ended;
      heartbeat.stop();
    },
  };
  return server;
}

function openPool(url: string): { pool: pg.Pool; dropConnections(): void } {
  const settings = {
    default_transaction_read_only: 'on',
    idle_in_transaction_session_timeout: String(SNAPSHOT_IDLE_TIMEOUT),
  };
  const pool = pipelinePool({
    ...connectionTo(url, settings),
    max: CONNECTIONS,
    query_timeout: QUERY_TIMEOUT,
  });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', () => {});
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  return {
    pool,
    dropConnections() {
      for (const { connection } of clients) connection.stream.destroy();
    },
  };
}
