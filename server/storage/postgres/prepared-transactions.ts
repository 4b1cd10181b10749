import pg from 'pg';
import { errorCode } from '../../lib/error-message.ts';
import { connectionTo } from './client.ts';

/** Between two looks at a coordinator of Citus, in milliseconds. */
const INTERVAL = 2_000;

/** Between two looks whether a PostgreSQL has become one, in milliseconds. */
const OTHERWISE = 60_000;

/** How long a look may take, in milliseconds. */
const TIMEOUT = 10_000;

/** The user may not call the function. */
const FORBIDDEN = '42501';

const IS_CITUS = `select to_regclass('pg_catalog.pg_dist_transaction') is not null as is_citus`;

const RECOVER = 'select recover_prepared_transactions()';

/**
 * Commits or rolls back the transactions that a worker of Citus had prepared when it was lost, as the coordinator has
 * decided, soon after its return. Citus itself does so once a minute; until then, a committed import would be visible on
 * the other workers only, and one that was rolled back would keep its rows locked. Does nothing on a PostgreSQL without Citus, and while the server cannot be reached.
 */
export function watchPreparedTransactions(url: string): { stop(): void } {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    const opened = client ?? (await open());
    client = opened;
    await opened.query(RECOVER);
  }

  /** A connection to a coordinator. */
  async function open(): Promise<pg.Client> {
    const opened = new pg.Client({ ...connectionTo(url, {}), query_timeout: TIMEOUT });
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
    let wait = INTERVAL;
    try {
      await look();
    } catch (error) {
      drop();
      if (error instanceof NoCitus || errorCode(error) === FORBIDDEN) wait = OTHERWISE;
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
