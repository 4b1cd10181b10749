import { watchCitus } from './watch-citus.ts';

const RECOVER = 'select recover_prepared_transactions()';

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
  });
}
