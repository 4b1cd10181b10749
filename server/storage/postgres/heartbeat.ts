import { setImmediate as afterReading } from 'node:timers/promises';
import pg from 'pg';
import { type CheckClient, dropClient, openClient } from './client.ts';
import { asUnusable, type UnusableServer } from './unusable-server.ts';

const INTERVAL_MS = 1_000;

/** A server that does not respond within this time counts as silent. */
const TIMEOUT_MS = 1_500;

/** While shutting down or starting up, the server responds but accepts no queries. */
const NOT_SERVING = /^57P0/;

/** All of the server's connections are in use, or another of its resources is. */
const FULL = /^53/;

const LOG_POSITION = `select pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::float8 as bytes`;

export interface Beat {
  /** Whether the server can be used. */
  isResponding: boolean;
  /** Why it cannot be used, if that is known. */
  fault: UnusableServer | null;
  /** See `PostgresServer.logPosition`. */
  logPosition: number | null;
}

/** The server responds, but without its position. */
const UNKNOWN: Beat = { isResponding: true, fault: null, logPosition: null };
const SILENT: Beat = { isResponding: false, fault: null, logPosition: null };

/**
 * Checks a server every second on a separate connection, and reports each result. Without this, every query
 * to a hanging server would wait for its timeout.
 */
export function watchHeartbeat(
  url: string,
  check: CheckClient,
  report: (beat: Beat) => void,
): { stop(): void } {
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
      client ??= await open();
    } catch (error) {
      // A server without a free connection still responds.
      if (error instanceof pg.DatabaseError && FULL.test(error.code ?? '')) return UNKNOWN;
      return { ...SILENT, fault: asUnusable(error, url) };
    }
    try {
      const { rows } = await client.query<{ bytes: number | null }>(LOG_POSITION);
      return { ...UNKNOWN, logPosition: rows[0]?.bytes ?? null };
    } catch (error) {
      drop();
      return error instanceof pg.DatabaseError && !NOT_SERVING.test(error.code ?? '') ? UNKNOWN : SILENT;
    }
  }

  async function open(): Promise<pg.Client> {
    const timeouts = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: 2 * TIMEOUT_MS };
    const opened = await openClient(url, {}, timeouts);
    try {
      await check(opened);
      return opened;
    } catch (error) {
      dropClient(opened);
      throw error;
    }
  }

  function drop(): void {
    if (client !== null) dropClient(client);
    client = null;
  }

  void beat();
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
