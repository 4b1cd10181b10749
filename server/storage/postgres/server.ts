import { type CheckClient, openPool, type ServerSettings } from './client.ts';
import { watchHeartbeat } from './heartbeat.ts';
import { type InSnapshot, LOCK_TIMEOUT_MS, sharedSnapshots } from './snapshot.ts';
import type { QueryPostgres } from './statements.ts';
import type { UnusableServer } from './unusable-server.ts';

/** Connections per server. A search uses one for a few milliseconds. */
const MAX_CONNECTIONS = 10;

/** A query that takes longer fails, and another server is tried. */
const QUERY_TIMEOUT_MS = 15_000;

const STATEMENT_TIMEOUT_MS = QUERY_TIMEOUT_MS + 1_000;

/** The server ends an idle snapshot after this time, because it delays vacuum. */
const SNAPSHOT_IDLE_TIMEOUT_MS = 30_000;

/** The ways to query a server. */
export interface PostgresConnections {
  /** For a single query. */
  query: QueryPostgres;
  /** For queries that must all see the same state of the store. */
  inSnapshot: InSnapshot;
}

/** A server of the store, with its connections. */
export interface PostgresServer extends PostgresConnections {
  /** Until this time of `performance.now`, the server is used only if no other is left. */
  skippedUntil: number;
  /** Whether this replica is too far behind the primary. */
  isLagging: boolean;
  /** Whether the last heartbeat got no response, or found that the server cannot be used. */
  isSilent: boolean;
  /** Why the server cannot be used, if that is known. */
  fault: UnusableServer | null;
  /** The last known position in the write-ahead log, in bytes: written by a primary, replayed by others. */
  logPosition: number | null;
  /** Runs work that fails as soon as the server stops responding. */
  run<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Fails all running work and drops all connections. */
  abandon(): void;
  stop(): Promise<void>;
}

/** Connects on first use. */
export function postgresServer(
  url: string,
  settings: ServerSettings = {},
  check: CheckClient = async () => {},
): PostgresServer {
  const open = () => openConnections(url, settings, check);
  let connections = open();
  /** The functions that reject the work that this server runs. */
  const waiting = new Set<(reason: Error) => void>();
  const heartbeat = watchHeartbeat(url, check, ({ isResponding, fault, logPosition }) => {
    server.isSilent = !isResponding;
    server.fault = fault;
    server.logPosition = logPosition;
    if (!isResponding) server.abandon();
  });

  const server: PostgresServer = {
    query: (query) => connections.inSnapshot((run) => run(query), false),
    inSnapshot: (...args) => connections.inSnapshot(...args),
    skippedUntil: 0,
    isLagging: false,
    isSilent: false,
    fault: null,
    logPosition: null,
    async run(work) {
      const { promise: abandoned, reject } = Promise.withResolvers<never>();
      waiting.add(reject);
      try {
        return await Promise.race([work(server), abandoned]);
      } finally {
        waiting.delete(reject);
      }
    },
    abandon() {
      // Queued work would still start on a free connection of the old pool, so later work gets a new pool.
      const abandoned = connections;
      connections = open();
      for (const reject of waiting) {
        reject(new Error('Connection terminated: the server, or one behind it, stopped responding'));
      }
      void abandoned.drop();
    },
    async stop() {
      await (server.isSilent ? connections.drop() : connections.end());
      heartbeat.stop();
    },
  };
  return server;
}

interface OpenConnections {
  inSnapshot: InSnapshot;
  /** Closes the connections once all work has ended. */
  end(): Promise<void>;
  /** Drops all connections, even busy ones, and opens no others. */
  drop(): Promise<void>;
}

function openConnections(url: string, more: ServerSettings, check: CheckClient): OpenConnections {
  const settings = {
    ...more,
    default_transaction_read_only: 'on',
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    lock_timeout: String(LOCK_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(SNAPSHOT_IDLE_TIMEOUT_MS),
  };
  // Pipelined: a query is sent without waiting for the responses to earlier ones.
  const config = { max: MAX_CONNECTIONS, query_timeout: QUERY_TIMEOUT_MS, pipeline: true };
  const pool = openPool(url, settings, config, check);
  return {
    inSnapshot: sharedSnapshots(pool),
    end: () => pool.end(),
    async drop() {
      // The pool is already ending if the server becomes silent during a stop.
      const ended = pool.ending ? null : pool.end();
      pool.dropAll();
      await ended;
    },
  };
}
