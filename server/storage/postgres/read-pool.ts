import type pg from 'pg';
import { StoreUnavailable } from '../../lib/store-unavailable.ts';
import type { PostgresAddress } from '../store-address.ts';
import { connectionTo } from './client.ts';
import { isPassingFailure } from './failure.ts';
import { watchPulse } from './heartbeat.ts';
import { type AskPostgres, askTogether, pipelinePool } from './pipeline.ts';
import { watchLag } from './replica-lag.ts';
import { type InSnapshot, snapshotsTogether } from './snapshot.ts';

/** Connections to each server. A search is a few milliseconds of one. */
const CONNECTIONS = 10;

/** A question that has no answer by then has none, in milliseconds: another server is asked. */
const LONGEST_QUESTION = 15_000;

/** A snapshot that whoever took it leaves standing is ended then, in milliseconds: it holds back the clearing away. */
const STANDSTILL = 30_000;

/** A server that failed is left so long before it is asked again, in milliseconds. */
const LEFT_FOR = 5_000;

/** How a server is asked. */
export interface PostgresConnections {
  /** For a question that stands alone. */
  ask: AskPostgres;
  /** For questions that have to see the store in one state. */
  inSnapshot: InSnapshot;
}

/** A server to search, with its connections. */
export interface PostgresServer extends PostgresConnections {
  pool: pg.Pool;
  /** Not asked before, unless no other server is left; milliseconds of `performance.now`. */
  leftUntil: number;
  /** Shows the store as it was too long ago. */
  isLagging: boolean;
  /** Did not answer when it was last asked whether it is there. */
  isSilent: boolean;
  /** Asks it so again. */
  isBack(): Promise<boolean>;
  /** The questions that wait for it, each to be told that it has fallen silent. */
  waiting: Set<(reason: Error) => void>;
  stop(): Promise<void>;
}

/** The servers of one store, for whoever only reads. */
export interface PostgresServers {
  /** Asks a replica, each in its turn; another server where that one fails, and the primary where all do. */
  read<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  /** Asks the primary, whose word is the newest; a replica where it fails. */
  readNewest<T>(work: (server: PostgresConnections) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Connects when first asked. Throws `StoreUnavailable` where no server answers. */
export function postgresServers({ url, readUrls }: PostgresAddress): PostgresServers {
  const primary = serverAt(url);
  const replicas = readUrls.map(serverAt);
  const lag = replicas.length === 0 ? null : watchLag(primary, replicas);
  let turn = 0;

  async function ask<T>(
    order: readonly PostgresServer[],
    work: (server: PostgresConnections) => Promise<T>,
  ): Promise<T> {
    const now = performance.now();
    const isFit = (server: PostgresServer) =>
      server.leftUntil <= now && !server.isLagging && !server.isSilent;
    // What is old, or failed a moment ago, is still better than nothing.
    const candidates = [...order.filter(isFit), ...order.filter((server) => !isFit(server))];
    let failure: unknown = null;
    for (const server of candidates) {
      if (server.isSilent && !(await server.isBack())) continue;
      try {
        const answer = await untilSilent(server, work);
        server.leftUntil = 0;
        return answer;
      } catch (error) {
        if (!isPassingFailure(error)) throw error;
        failure = error;
        server.leftUntil = performance.now() + LEFT_FOR;
      }
    }
    throw new StoreUnavailable({ cause: failure });
  }

  return {
    read(work) {
      turn = (turn + 1) % Math.max(1, replicas.length);
      return ask([...replicas.slice(turn), ...replicas.slice(0, turn), primary], work);
    },
    readNewest: (work) => ask([primary, ...replicas], work),
    async close() {
      lag?.stop();
      await Promise.all([primary, ...replicas].map((server) => server.stop()));
    },
  };
}

function serverAt(url: string): PostgresServer {
  const pool = pipelinePool({
    ...connectionTo(url, {
      default_transaction_read_only: 'on',
      idle_in_transaction_session_timeout: String(STANDSTILL),
    }),
    max: CONNECTIONS,
    query_timeout: LONGEST_QUESTION,
  });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', () => {});
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  const pulse = watchPulse(url, (isThere) => {
    server.isSilent = !isThere;
    if (!isThere) leave();
  });

  /** Nothing that was asked there is waited for, and no connection to it used again: the network may have forgotten it. */
  function leave(): void {
    for (const reject of server.waiting)
      reject(new Error('Connection terminated: the server has fallen silent'));
    for (const { connection } of clients) connection.stream.destroy();
  }

  const server: PostgresServer = {
    pool,
    ask: askTogether(pool),
    inSnapshot: snapshotsTogether(pool),
    leftUntil: 0,
    isLagging: false,
    isSilent: false,
    isBack: () => pulse.beat(),
    waiting: new Set(),
    async stop() {
      const ended = pool.end();
      if (server.isSilent) leave();
      await ended;
      pulse.stop();
    },
  };
  return server;
}

/** Asks a server for as long as it answers at all. */
async function untilSilent<T>(
  server: PostgresServer,
  work: (server: PostgresConnections) => Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  server.waiting.add(reject);
  try {
    return await Promise.race([work(server), promise]);
  } finally {
    server.waiting.delete(reject);
  }
}
