import { log } from '../../lib/log.ts';
import { watchCoordinator } from './watch-coordinator.ts';

/** What a superuser runs on the coordinator. Citus lets nobody else call the function. */
export const GRANT_RECOVERY = 'grant execute on function recover_prepared_transactions() to';

const FORBIDDEN = `This PostgreSQL user may not conclude what a lost worker of Citus had prepared: for up to a minute after its return, searches of its packages may be refused. On the coordinator, in this database, run: ${GRANT_RECOVERY} the user of DATABASE_URL`;

/**
 * Commits or rolls back the transactions that a worker had prepared when it was lost, as the coordinator has decided, soon
 * after its return. Citus itself does so once a minute; until then, a committed import would be visible on the other
 * workers only, and one that was rolled back would keep its rows locked.
 */
export function concludePrepared(url: string): { stop(): void } {
  return watchCoordinator(url, {
    intervalMs: 2_000,
    timeoutMs: 10_000,
    settings: {},
    async look(client) {
      await client.query('select recover_prepared_transactions()');
    },
    onForbidden: () => log.warn(FORBIDDEN),
  });
}
