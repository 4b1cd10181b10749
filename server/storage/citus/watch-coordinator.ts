import type pg from 'pg';
import { errorCode } from '../../lib/error-message.ts';
import { dropClient, openClient, type ServerSettings } from '../postgres/client.ts';

/** The interval while the permission is missing. */
const WITHOUT_PERMISSION_MS = 60_000;

/** PostgreSQL's code for a missing permission. */
const FORBIDDEN = '42501';

/** A query that is sent to the coordinator repeatedly. */
export interface CoordinatorLook {
  intervalMs: number;
  /** The query's timeout. After a timeout, the next query uses a new connection. */
  timeoutMs: number;
  settings: ServerSettings;
  look(client: pg.Client): Promise<void>;
  /** Called once if the user lacks the permission. The operator may grant it later. */
  onForbidden?: () => void;
}

/** Queries the coordinator repeatedly on a separate connection, and reconnects after failures. */
export function watchCoordinator(url: string, watched: CoordinatorLook): { stop(): void } {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let { onForbidden } = watched;

  function drop(): void {
    if (client !== null) dropClient(client);
    client = null;
  }

  async function lookAndWait(): Promise<void> {
    let wait = watched.intervalMs;
    try {
      client ??= await openClient(url, watched.settings, { query_timeout: watched.timeoutMs });
      await watched.look(client);
    } catch (error) {
      drop();
      if (errorCode(error) === FORBIDDEN) {
        wait = WITHOUT_PERMISSION_MS;
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
