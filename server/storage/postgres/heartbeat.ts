import { setImmediate as afterReading } from 'node:timers/promises';
import pg from 'pg';
import { dropClient, openClient } from './client.ts';

const INTERVAL_MS = 1_000;

/** A server that does not respond within this time counts as silent. */
const TIMEOUT_MS = 1_500;

/** While shutting down or starting up, the server responds but accepts no queries. */
const NOT_SERVING = /^57P0/;

const LOG_POSITION = `select pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::float8 as bytes`;

export interface Beat {
  isResponding: boolean;
  /** See `PostgresServer.logPosition`. */
  logPosition: number | null;
}

const SILENT: Beat = { isResponding: false, logPosition: null };

/**
 * Checks a server every second on a separate connection, and reports each result. Without this, every query
 * to a hanging server would wait for its timeout.
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
      client ??= await openClient(
        url,
        {},
        { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: 2 * TIMEOUT_MS },
      );
      const { rows } = await client.query<{ bytes: number | null }>(LOG_POSITION);
      return { isResponding: true, logPosition: rows[0]?.bytes ?? null };
    } catch (error) {
      drop();
      // A server without a free connection still responds.
      const isResponding = error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '');
      return { isResponding, logPosition: null };
    }
  }

  function drop(): void {
    if (client !== null) dropClient(client);
    client = null;
  }

  const timer = setInterval(() => void beat(), INTERVAL_MS);
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
  // If this process was busy, the response may have arrived but not been read.
  const timer = setTimeout(
    () =>
      void afterReading()
        .then(() => afterReading())
        .then(() => resolve(SILENT)),
    TIMEOUT_MS,
  );
  try {
    return await Promise.race([response, promise]);
  } finally {
    clearTimeout(timer);
  }
}
