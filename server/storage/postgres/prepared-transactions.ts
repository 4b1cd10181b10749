import { log } from '../../lib/log.ts';
import { watchCitus } from './watch-citus.ts';

const RECOVER = 'select recover_prepared_transactions()';

/** What a superuser runs on the coordinator. Citus lets nobody else call the function. */
export const GRANT_RECOVERY = 'grant execute on function recover_prepared_transactions() to';

const FORBIDDEN = `This user of the PostgreSQL may not conclude what a lost worker of Citus had prepared: for up to a minute after its return, searches of its packages may be refused. On the coordinator, in this database: ${GRANT_RECOVERY} the user of DATABASE_URL`;

/**
 * Commits or rolls back the transactions that a worker of Citus had prepared when it was lost, as the coordinator has
 * decided, soon after its return. Citus itself does so once a minute; until then, a committed import would be visible on
 * the other workers only, and one that was rolled back would keep its rows locked.
 */
export function watchPreparedTransactions(url: string): { stop(): void } {
  return watchCitus(url, {
    intervalMs: 2_000,
    timeoutMs: 10_000,
    settings: {},
    async look(client) {
      await client.query(RECOVER);
    },
    onForbidden: () => log.warn(FORBIDDEN),
  });
}
