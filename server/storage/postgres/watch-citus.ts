import type pg from 'pg';
import { errorCode } from '../../lib/error-message.ts';
import { connectionTo, type ServerSettings, SettledClient } from './client.ts';

/** Between two looks whether a PostgreSQL has become a coordinator of Citus, in milliseconds. */
const WITHOUT_CITUS = 10_000;

/** Between two looks that the user may not take, in milliseconds. */
const WITHOUT_PERMISSION = 60_000;

/** The user may not call a function. */
const FORBIDDEN = '42501';

const IS_CITUS = `select to_regclass('pg_catalog.pg_dist_transaction') is not null as is_citus`;

/** What is looked at on a coordinator of Citus. */
export interface CitusLook {
  /** Between two looks, in milliseconds. */
  intervalMs: number;
  /** How long a query of a look may take, in milliseconds. Afterwards the next look has a new connection. */
  timeoutMs: number;
  settings: ServerSettings;
  look(client: pg.Client): Promise<void>;
  /** Called once if the user may not look. It is tried again each minute, for somebody may grant it. */
  onForbidden?: () => void;
}

/**
 * Looks at a coordinator of Citus again and again, on a connection of its own. Does nothing on a PostgreSQL without
 * Citus, where the user may not look, and while the server cannot be reached.
 */
export function watchCitus(url: string, watched: CitusLook): { stop(): void } {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let onForbidden = watched.onForbidden;

  /** A connection to a coordinator. */
  async function open(): Promise<pg.Client> {
    const opened = new SettledClient({
      ...connectionTo(url, watched.settings),
      query_timeout: watched.timeoutMs,
    });
    opened.on('error', () => {});
    try {
      await opened.connect();
      const { rows } = await opened.query<{ is_citus: boolean }>(IS_CITUS);
      if (rows[0]?.is_citus === true) return opened;
    } catch (error) {
      opened.connection.stream.destroy();
      throw error;
    }
    await opened.end();
    throw new NoCitus();
  }

  function drop(): void {
    client?.connection.stream.destroy();
    client = null;
  }

  async function lookAndWait(): Promise<void> {
    let wait = watched.intervalMs;
    try {
      client ??= await open();
      await watched.look(client);
    } catch (error) {
      drop();
      const isForbidden = errorCode(error) === FORBIDDEN;
      if (error instanceof NoCitus) wait = WITHOUT_CITUS;
      if (isForbidden) {
        wait = WITHOUT_PERMISSION;
        onForbidden?.();
        onForbidden = undefined;
      }
    }
    if (isStopped) drop();
    else timer = setTimeout(() => void lookAndWait(), wait).unref();
  }

  void lookAndWait();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      drop();
    },
  };
}

class NoCitus extends Error {
  override readonly name = 'NoCitus';
}
