import { setImmediate as afterReading } from 'node:timers/promises';
import pg from 'pg';
import { dropClient, openClient } from './client.ts';

/** Between two heartbeats, in milliseconds. */
const INTERVAL = 1_000;

/** A server that has not responded by then, in milliseconds, is silent. */
const TIMEOUT = 1_500;

/** Shutting down or starting up: the server responds, but accepts no queries. */
const NOT_SERVING = /^57P0/;

const LOG_POSITION = `select pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::float8 as bytes`;

/** What a heartbeat has found. */
export interface Beat {
  isResponding: boolean;
  /** See `PostgresServer.logPosition`. */
  logPosition: number | null;
}

const SILENT: Beat = { isResponding: false, logPosition: null };

/**
 * Sends a heartbeat to a server every second, on a separate connection, and reports each result. A server that hangs,
 * or that the network has lost, does not refuse connections: without heartbeats every query would run into its timeout.
 */
export function watchHeartbeat(url: string, report: (beat: Beat) => void): { stop(): void } {
  let client: pg.Client | null = null;
  let isBeating = false;
  let isStopped = false;

  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    const found = await withinTimeout(ask());
    isBeating = false;
    if (!found.isResponding || isStopped) drop();
    if (!isStopped) report(found);
  }

  async function ask(): Promise<Beat> {
    try {
      client ??= await openClient(url, {}, { connectionTimeoutMillis: TIMEOUT, query_timeout: 2 * TIMEOUT });
      const { rows } = await client.query<{ bytes: number | null }>(LOG_POSITION);
      return { isResponding: true, logPosition: rows[0]?.bytes ?? null };
    } catch (error) {
      drop();
      // A server with no free connection has responded.
      const isResponding = error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '');
      return { isResponding, logPosition: null };
    }
  }

  function drop(): void {
    if (client !== null) dropClient(client);
    client = null;
  }

  const timer = setInterval(() => void beat(), INTERVAL);
  timer.unref();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
      drop();
    },
  };
}

async function withinTimeout(response: Promise<Beat>): Promise<Beat> {
  const { promise, resolve } = Promise.withResolvers<Beat>();
  // If this process itself was busy until now, the response has arrived and only has to be read.
  const timer = setTimeout(
    () =>
      void afterReading()
        .then(() => afterReading())
        .then(() => resolve(SILENT)),
    TIMEOUT,
  );
  try {
    return await Promise.race([response, promise]);
  } finally {
    clearTimeout(timer);
  }
}
