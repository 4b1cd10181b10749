import type pg from 'pg';
import { connectionTo, type ServerSettings } from './client.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { LOCK_TIMEOUT } from './patience.ts';
import { batchQueries, pipelinePool, type QueryPostgres } from './pipeline.ts';
import { type InSnapshot, sharedSnapshots } from './snapshot.ts';

/** Connections to each server. A search uses one for a few milliseconds. */
const CONNECTIONS = 10;

/** A query that takes longer fails, in milliseconds; another server is tried. */
const QUERY_TIMEOUT = 15_000;

/** Milliseconds after which the server ends a query. Whoever sent it stopped waiting at `QUERY_TIMEOUT`. */
const STATEMENT_TIMEOUT = QUERY_TIMEOUT + 1_000;

/** How long it may take to have a query cancelled, in milliseconds. */
const CANCEL_TIMEOUT = 3_000;

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
export interface PostgresServer extends Readonly<PostgresConnections> {
  readonly pool: pg.Pool;
  /** Skipped until then unless no other server is left; milliseconds of `performance.now`. */
  skippedUntil: number;
  /** A replica that is too far behind. */
  isLagging: boolean;
  /** Did not respond to the last heartbeat. */
  isSilent: boolean;
  /** Runs work, and fails it as soon as the server stops responding. */
  run<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Fails all work and drops all connections. */
  abandon(): void;
  stop(): Promise<void>;
}

/** Connects when first used. */
export function postgresServer(url: string, settings: ServerSettings = {}): PostgresServer {
  let connections = openConnections(url, settings);
  /** Rejects the work that waits for this server. */
  const waiting = new Set<(reason: Error) => void>();
  const heartbeat = watchHeartbeat(url, (isResponding) => {
    server.isSilent = !isResponding;
    if (!isResponding) abandon();
  });

  /**
   * The server, or one behind it, no longer responds. Work that still waits for a connection would begin when it gets one,
   * so the next work has a new pool.
   */
  function abandon(): void {
    const abandoned = connections;
    connections = openConnections(url, settings);
    for (const reject of waiting) {
      reject(new Error('Connection terminated: the server, or one behind it, stopped responding'));
    }
    void abandoned.drop();
  }

  const server: PostgresServer = {
    get pool() {
      return connections.pool;
    },
    get query() {
      return connections.query;
    },
    get inSnapshot() {
      return connections.inSnapshot;
    },
    skippedUntil: 0,
    isLagging: false,
    isSilent: false,
    async run(work) {
      const { promise: abandoned, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      try {
        return await Promise.race([work(server), abandoned]);
      } finally {
        waiting.delete(reject);
      }
    },
    abandon,
    async stop() {
      await (server.isSilent ? connections.drop() : connections.end());
      heartbeat.stop();
    },
  };
  return server;
}

interface OpenConnections extends PostgresConnections {
  pool: pg.Pool;
  /** Closes them when all work has ended. */
  end(): Promise<void>;
  /** Drops them whatever runs on them, and gives out no more. */
  drop(): Promise<void>;
}

function openConnections(url: string, more: ServerSettings): OpenConnections {
  const settings = {
    ...more,
    default_transaction_read_only: 'on',
    statement_timeout: String(STATEMENT_TIMEOUT),
    lock_timeout: String(LOCK_TIMEOUT),
    idle_in_transaction_session_timeout: String(SNAPSHOT_IDLE_TIMEOUT),
  };
  const pool = pipelinePool({
    ...connectionTo(url, settings),
    max: CONNECTIONS,
    query_timeout: QUERY_TIMEOUT,
  });
  const cancelling = pipelinePool({ ...connectionTo(url, {}), max: 1, query_timeout: CANCEL_TIMEOUT });
  const clients = new Set<pg.PoolClient>();
  for (const one of [pool, cancelling]) {
    // An idle connection that breaks is replaced when it is needed.
    one.on('error', () => {});
    one.on('connect', (client) => clients.add(client));
    one.on('remove', (client) => clients.delete(client));
  }
  const end = async () => {
    await pool.end();
    await cancelling.end();
  };
  return {
    pool,
    query: batchQueries(pool),
    inSnapshot: sharedSnapshots(pool, cancelling),
    end,
    async drop() {
      // A server that falls silent while it is being stopped is already ending.
      const ended = pool.ending ? null : end();
      for (const { connection } of clients) connection.stream.destroy();
      await ended;
    },
  };
}
