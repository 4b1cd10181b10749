import type pg from 'pg';
import { errorCode } from '../../lib/error-message.ts';
import { dropClient, openClient, type ServerSettings } from '../postgres/client.ts';

/** Between two looks that the user may not take, in milliseconds. */
const WITHOUT_PERMISSION_MS = 60_000;

/** The user may not call a function. */
const FORBIDDEN = '42501';

/** What is looked at on the coordinator. */
export interface CoordinatorLook {
  /** Between two looks, in milliseconds. */
  intervalMs: number;
  /** How long a query of a look may take, in milliseconds. Afterwards the next look has a new connection. */
  timeoutMs: number;
  settings: ServerSettings;
  look(client: pg.Client): Promise<void>;
  /** Called once if the user may not look. It is tried again each minute, for somebody may grant it. */
  onForbidden?: () => void;
}

/** Looks at the coordinator again and again, on a connection of its own, also after it could not be reached. */
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
