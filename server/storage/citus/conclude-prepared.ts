import { log } from '../../lib/log.ts';
import { watchCoordinator } from './watch-coordinator.ts';

/** A superuser runs this on the coordinator, because by default only superusers may call the function. */
export const GRANT_RECOVERY = 'grant execute on function recover_prepared_transactions() to';

const FORBIDDEN = `This PostgreSQL user may not conclude the prepared transactions of a lost Citus worker: for up to a minute after it returns, searches of its packages may be refused. On the coordinator, in this database, run: ${GRANT_RECOVERY} the user of DATABASE_URL`;

/**
 * Commits or rolls back what a lost worker had prepared, as the coordinator decided. Citus itself does so
 * once a minute. Until then, imports are visible on the other workers only, or keep rows locked.
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
